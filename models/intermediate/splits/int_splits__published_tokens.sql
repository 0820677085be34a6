with

published as (

    select * from {{ ref('int_splits__published') }}

),

tokens as (

    select * from {{ ref('int_text__tokens') }}
    where is_published

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

-- one row per token of a published sentence, with its human annotation
published_tokens as (

    select
        published.id,
        tokens.token_index::integer as token,
        tokens.form,
        tokens.published_lemma as lemma,
        morphology.upos,
        nullif(morphology.feats, '') as feats,
        trees.head::integer as head,
        trees.relation,
        trees.deprel,
        tokens.sentence_number,
        tokens.gid,
    from published
    inner join tokens on published.sentence_number = tokens.sentence_number
    inner join morphology on tokens.gid = morphology.gid
    inner join trees on tokens.gid = trees.gid

)

select * from published_tokens
order by id, token
