with

tag_to_feats as (

    select * from {{ ref('tag_to_feats') }}

),

sentences as (

    select * from {{ ref('int_machine__sentences') }}
    where is_annotated

),

tokens as (

    select * from {{ ref('int_splits__published_tokens') }}

),

machine_trees as (

    select * from {{ ref('int_machine__trees') }}

),

parse as (

    select * from {{ ref('int_machine__parse') }}

),

upos_reduction as (

    select * from {{ ref('upos_reduction') }}

),

relation_reduction as (

    select * from {{ ref('relation_reduction') }}

),

-- one row per feature and single value that the human layer publishes
published_values as (

    select
        feature,
        unnest(string_split(feature_value, ',')) as feature_value,
    from tag_to_feats

),

-- one row: all of them
inventory as (

    select list_sort(list(distinct feature || '=' || feature_value)) as pairs
    from published_values

),

-- one row per FEATS of either layer, with the pairs that the human layer publishes
features as (

    select
        every_feats.feats,
        {{ inventory_features('every_feats.feats', 'inventory.pairs') }} as pairs,
    from (
        select feats from tokens
        union
        select feats from machine_trees
    ) as every_feats
    cross join inventory
    where every_feats.feats is not null

),

-- one row per parsed sentence, with the fold whose model parsed it
folds as (

    select
        id,
        fold,
    from parse
    where token = 1

),

-- one row per parsed token of an annotated sentence, both layers in the classes of the human one
compared_tokens as (

    select
        tokens.gid,
        sentences.project,
        folds.fold,
        sentences.author,
        sentences.canonical_work,
        tokens.head = machine_trees.head as is_same_head,
        tokens.deprel = coalesce(relation_reduction.deprel, 'dep') as is_same_relation,
        tokens.upos = upos_reduction.reduced as is_same_upos,
        coalesce(human_features.pairs, []) as human_pairs,
        coalesce(machine_features.pairs, []) as machine_pairs,
    from tokens
    inner join sentences on tokens.id = sentences.id
    inner join folds on tokens.id = folds.id
    inner join machine_trees on tokens.gid = machine_trees.gid
    left join upos_reduction
        on machine_trees.upos = upos_reduction.upos
    left join relation_reduction
        on split_part(machine_trees.relation, ':', 1) = relation_reduction.relation
    left join features as human_features
        on tokens.feats = human_features.feats
    left join features as machine_features
        on machine_trees.feats = machine_features.feats

)

select * from compared_tokens
