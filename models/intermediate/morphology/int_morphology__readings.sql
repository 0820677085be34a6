with

tags as (

    select * from {{ ref('int_morphology__tags') }}

),

tag_to_upos as (

    select * from {{ ref('tag_to_upos') }}

),

tag_to_feats as (

    select * from {{ ref('tag_to_feats') }}

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

-- one row per reading whose features name several genders at once
fine_genders as (

    select
        project,
        native_tag,
        native_upos,
        native_feats,
        regexp_extract(native_feats, '(?:^|\|)Gender=([A-Za-z]+,[A-Za-z,]+)', 1) as genders,
    from tags
    where regexp_matches(native_feats, '(^|\|)Gender=[A-Za-z]+,')

),

-- one row per reading and published feature
features as (

    select
        tags.project,
        tags.native_tag,
        tags.native_upos,
        tags.native_feats,
        tag_features.feature,
        tag_features.feature_value,
    from tags
    inner join tag_features
        on tags.tag = tag_features.tag

    union all

    select
        project,
        native_tag,
        native_upos,
        native_feats,
        'Gender' as feature,
        genders as feature_value,
    from fine_genders

),

-- one row per reading that has features
feature_strings as (

    select
        project,
        native_tag,
        native_upos,
        native_feats,
        string_agg(feature || '=' || feature_value, '|' order by feature) as feats,
    from features
    group by project, native_tag, native_upos, native_feats

),

-- one row per reading
readings as (

    select
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
        on
            tags.project = feature_strings.project
            and tags.native_tag = feature_strings.native_tag
            and tags.native_upos = feature_strings.native_upos
            and tags.native_feats = feature_strings.native_feats

)

select * from readings
