with

sentences as (

    select * from {{ ref('hub_sentences') }}

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

native_tokens as (

    select * from {{ ref('int_syntax__native') }}

),

machine_trees as (

    select * from {{ ref('int_machine__trees') }}

),

-- one row per token of a published sentence
published_tokens as (

    select
        sentences.id,
        tokens.token_index::int as token,
        tokens.form,
        tokens.lemma,
        morphology.upos,
        nullif(morphology.feats, '') as feats,
        trees.head::int as head,
        trees.deprel,
        machine_trees.upos as machine_upos,
        machine_trees.feats as machine_feats,
        machine_trees.head as machine_head,
        machine_trees.relation as machine_deprel,
        machine_trees.artefact as machine_artefact,
        native_tokens.source_token,
        native_tokens.relation,
        native_tokens.head as native_head,
        native_tokens.head_repair,
        native_tokens.head_converted,
        tokens.gid
    from sentences
    inner join tokens on sentences.sentence_number = tokens.sentence_number
    inner join morphology on tokens.gid = morphology.gid
    inner join trees on tokens.gid = trees.gid
    left join native_tokens on tokens.gid = native_tokens.gid
    left join machine_trees on tokens.gid = machine_trees.gid

)

select * from published_tokens
order by id, token
