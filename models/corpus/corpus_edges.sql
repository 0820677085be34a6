with

nodes as (

    select * from {{ ref('corpus_nodes').include(database=false) }}

),

sentences as (

    select * from {{ ref('corpus_sentences').include(database=false) }}

),

-- one row per dependency of a layer, in the sentences that are no duplicate
edges as (

    select
        sentences.sentence_id,
        sentences.author,
        dependents.layer,
        dependents.head,
        dependents.position,
        dependents.label as relation,
        dependents.position - dependents.head as distance,
        case
            when dependents.head = 0 then 'root'
            when dependents.head < dependents.position then 'head_first'
            else 'head_last'
        end as direction,
        dependents.form,
        dependents.lemma,
        dependents.upos,
        dependents.feats,
        heads.form as head_form,
        heads.lemma as head_lemma,
        heads.upos as head_upos,
        heads.feats as head_feats,
        heads.label as head_relation,
        dependents.is_projective,
        dependents.sentence_number,
    from nodes as dependents
    inner join sentences
        on dependents.sentence_number = sentences.sentence_number
    left join nodes as heads
        on
            dependents.layer = heads.layer
            and dependents.head_key = heads.node_key
    where
        dependents.scope <= 2
        and dependents.head is not null

)

select * from edges
