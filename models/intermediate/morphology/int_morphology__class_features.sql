with

tag_to_upos as (

    select * from {{ ref('tag_to_upos') }}

),

part_positions as (

    select * from {{ ref('part_positions') }}

),

tag_to_feats as (

    select * from {{ ref('tag_to_feats') }}

),

-- one row per published class, with the features of the positions that a letter of it has
class_features as (

    select
        tag_to_upos.upos,
        coalesce(
            list_sort(list(distinct tag_to_feats.feature) filter (where tag_to_feats.feature is not null)),
            []
        ) as features,
    from tag_to_upos
    left join part_positions
        on tag_to_upos.value = part_positions.part_of_speech
    left join tag_to_feats
        on part_positions.position = tag_to_feats.position
    group by tag_to_upos.upos

)

select * from class_features
