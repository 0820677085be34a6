with

tokens as (

    select * from {{ ref('int_splits__published_tokens') }}

),

machine_trees as (

    select * from {{ ref('int_machine__trees') }}

),

-- one row per token of a published sentence
published_tokens as (

    select
        tokens.id,
        tokens.token,
        tokens.form,
        tokens.lemma,
        tokens.upos,
        tokens.feats,
        tokens.head,
        tokens.deprel,
        machine_trees.upos as machine_upos,
        machine_trees.feats as machine_feats,
        machine_trees.head as machine_head,
        machine_trees.relation as machine_deprel,
        machine_trees.artefact as machine_artefact,
        tokens.gid,
    from tokens
    left join machine_trees on tokens.gid = machine_trees.gid

)

select * from published_tokens
order by id, token
