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

-- one row per reading and published feature; where the tag has the common gender, the genders that the source wrote
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
    where
        substr(tags.tag, 7, 1) = 'c'
        and native_features.feature = 'Gender'
        and regexp_full_match(native_features.feature_value, '(Fem|Masc|Neut)(,(Fem|Masc|Neut))+')

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
