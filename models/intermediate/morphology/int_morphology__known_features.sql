with

ud_features as (

    select * from {{ ref('ud_features') }}

),

feats_to_tag as (

    select * from {{ ref('feats_to_tag') }}

),

tag_to_feats as (

    select * from {{ ref('tag_to_feats') }}

),

-- one row per feature and value that a tag can hold
tag_values as (

    select
        feature,
        feature || '=' || feature_value as pair,
    from feats_to_tag

    union

    select
        feature,
        feature || '=' || feature_value as pair,
    from tag_to_feats

),

-- one row per universal feature and value, but of the features of the tag those values only that it can hold
known_values as (

    select
        feature || '=' || value as pair,
        feature,
    from ud_features
    where
        feature not in (select tag_values.feature from tag_values)
        or feature || '=' || value in (select tag_values.pair from tag_values)

),

-- one row: the same as lists
lists as (

    select
        list_sort(list(pair)) as pairs,
        list_sort(list(distinct feature)) as features,
    from known_values

)

select * from lists
