with

parse as (

    select * from {{ ref('int_machine__parse') }}

),

features as (

    select * from {{ ref('int_machine__features') }}

),

tokens as (

    select * from {{ ref('int_splits__published_tokens') }}

),

joining_words as (

    select * from {{ ref('coordinators') }}

),

relation_reduction as (

    select * from {{ ref('relation_reduction') }}

),

lemma_classes as (

    select * from {{ ref('int_morphology__lemma_classes') }}

),

upos_reduction as (

    select * from {{ ref('upos_reduction') }}

),

class_families as (

    select * from {{ ref('class_families') }}

),

-- one row per class of the parser and lemma of a closed class that has another one of its family, or is unclear
class_changes as (

    select
        upos_reduction.upos,
        lemma_classes.lemma,
        lemma_classes.upos as lemma_upos,
    from upos_reduction
    inner join lemma_classes
        on upos_reduction.reduced <> lemma_classes.upos
    inner join class_families as lemma_families
        on lemma_classes.upos = lemma_families.upos
    left join class_families as families
        on upos_reduction.reduced = families.upos
    where
        families.family = lemma_families.family
        or upos_reduction.reduced = 'X'

),

-- one row per parsed token; the keys hold the published numbering
trees as (

    select
        tokens.gid as token_gid,
        tokens.sentence_number,
        parse.id,
        parse.token,
        {{ token_key('tokens.sentence_number', 'parse.token') }} as gid,
        if(parse.head = 0, 0, {{ token_key('tokens.sentence_number', 'parse.head') }}) as head_gid,
        parse.deprel as relation,
        parse.upos,
        features.feats,
        parse.artefact,
        tokens.lemma,
    from parse
    inner join tokens
        on
            parse.id = tokens.id
            and parse.token = tokens.token
    inner join features
        on
            parse.id = features.id
            and parse.token = features.token

),

{{ moved_coordinators() }},

-- one row per parsed token, coordinators moved and named as in the human layer
published_trees as (

    select
        trees.token_gid as gid,
        trees.sentence_number,
        trees.id,
        trees.token,
        (coalesce(moved.head_gid, trees.head_gid) % {{ var('token_key_factor') }})::integer as head,
        case
            when moved.is_coordinator = false then 'advmod'
            when joining_words.lemma is not null and relation_reduction.coordinator_deprel = 'advmod' then 'advmod'
            else trees.relation
        end as relation,
        coalesce(class_changes.lemma_upos, trees.upos) as upos,
        trees.feats,
        trees.artefact,
    from trees
    left join moved
        on trees.gid = moved.gid
    left join joining_words
        on trees.lemma = joining_words.lemma
    left join relation_reduction
        on split_part(trees.relation, ':', 1) = relation_reduction.relation
    left join class_changes
        on
            trees.upos = class_changes.upos
            and trees.lemma = class_changes.lemma

)

select * from published_trees
