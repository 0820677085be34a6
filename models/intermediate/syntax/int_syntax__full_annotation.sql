with

relations as (

    select * from {{ ref('int_syntax__full_relations') }}

),

words as (

    select * from {{ ref('int_morphology__full_words') }}

),

ud_upos as (

    select * from {{ ref('ud_upos') }}

),

universal_classes as (

    select * from {{ ref('universal_classes') }}

),

-- one row per published token: what the rules look at, and the class that a UD project gives
classified as (

    select
        relations.gid,
        relations.relation,
        words.value,
        words.lemma_class,
        words.is_proper,
        words.ud_feats,
        ud_upos.upos as own_upos,
    from relations
    inner join words
        on relations.gid = words.gid
    left join ud_upos
        on words.source_upos = ud_upos.upos

),

{{ first_rules(
    'classified',
    'universal_classes',
    ['value', 'relation', 'lemma_class', 'is_proper'],
    ['ud_upos']
) }},

-- one row per published token: the class of a UD project is its own
full_annotation as (

    select
        gid,
        relation,
        coalesce(own_upos, ud_upos) as ud_upos,
        ud_feats,
    from classified_decided

)

select * from full_annotation
