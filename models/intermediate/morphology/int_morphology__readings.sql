with

tags as (

    select * from {{ ref('int_morphology__tags') }}

),

native_features as (

    select * from {{ ref('int_morphology__features') }}

),

tag_to_upos as (

    select * from {{ ref('tag_to_upos') }}

),

tag_to_feats as (

    select * from {{ ref('tag_to_feats') }}

),

several_values as (

    select * from {{ ref('several_values') }}

),

-- one row per distinct tag and feature of it
tag_features as (

    select
        distinct_tags.tag,
        tag_to_feats.feature,
        tag_to_feats.feature_value,
    from (select distinct tag from tags) as distinct_tags
    inner join tag_to_feats
        on substr(distinct_tags.tag, tag_to_feats.position, 1) = tag_to_feats.value

),

-- one row per feature: its published values
published_values as (

    select
        feature,
        list_sort(list(distinct feature_value)) as feature_values,
    from tag_to_feats
    group by feature

),

-- one row per reading and published feature; where a letter of the tag says that there are several, those of the source
features as (

    select
        tags.reading,
        tag_features.feature,
        tag_features.feature_value,
    from tags
    inner join tag_features
        on tags.tag = tag_features.tag

    union all

    select
        tags.reading,
        native_features.feature,
        native_features.feature_value,
    from tags
    inner join native_features
        on tags.reading = native_features.reading
    inner join several_values
        on
            substr(tags.tag, several_values.position, 1) = several_values.value
            and native_features.feature = several_values.feature
    inner join published_values
        on native_features.feature = published_values.feature
    where
        contains(native_features.feature_value, ',')
        and list_has_all(published_values.feature_values, string_split(native_features.feature_value, ','))

),

-- one row per reading that has features
feature_strings as (

    select
        reading,
        string_agg(feature || '=' || feature_value, '|' order by feature) as feats,
    from features
    group by reading

),

-- one row per reading
readings as (

    select
        tags.reading,
        tags.project,
        tags.native_tag,
        tags.native_upos,
        tags.native_feats,
        tags.tag,
        tag_to_upos.upos,
        feature_strings.feats,
    from tags
    inner join tag_to_upos
        on left(tags.tag, 1) = tag_to_upos.value
    left join feature_strings
        on tags.reading = feature_strings.reading

)

select * from readings
