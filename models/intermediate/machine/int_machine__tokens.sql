with

sentences as (

    select * from {{ ref('int_machine__sentences') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}
    where is_published

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

-- one row per published token, with its human annotation in full relations
tokens as (

    select
        sentences.id,
        text_tokens.token_index as token,
        text_tokens.form,
        text_tokens.lemma,
        morphology.upos,
        nullif(morphology.feats, '') as feats,
        trees.head::integer as head,
        trees.relation,
        sentences.fold,
        sentences.is_training,
        text_tokens.sentence_number,
        text_tokens.gid
    from sentences
    inner join text_tokens
        on sentences.sentence_number = text_tokens.sentence_number
    inner join morphology
        on text_tokens.gid = morphology.gid
    inner join trees
        on text_tokens.gid = trees.gid

)

select * from tokens
order by id, token
