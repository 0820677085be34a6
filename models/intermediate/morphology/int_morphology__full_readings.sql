with

readings as (

    select * from {{ ref('int_morphology__readings') }}

),

native_readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

native_features as (

    select * from {{ ref('int_morphology__features') }}

),

tag_to_feats as (

    select * from {{ ref('tag_to_feats') }}

),

-- one row per feature that a tag can hold
tag_features as (

    select distinct feature
    from tag_to_feats

),

-- one row per reading and feature: what is published, and what the source has beyond the tag
features as (

    select
        reading,
        unnest(string_split(feats, '|')) as pair,
    from readings
    where feats is not null

    union all

    select
        native_features.reading,
        native_features.feature || '=' || native_features.feature_value as pair,
    from native_features
    inner join readings
        on native_features.reading = readings.reading
    left join tag_features
        on native_features.feature = tag_features.feature
    where
        tag_features.feature is null
        -- several values at once leave the tag open
        or (
            contains(native_features.feature_value, ',')
            and not contains('|' || coalesce(readings.feats, ''), '|' || native_features.feature || '=')
        )

),

-- one row per reading that has features
feature_lists as (

    select
        reading,
        list_sort(list(pair)) as pairs,
    from features
    group by reading

),

-- one row per reading
full_readings as (

    select
        readings.reading,
        left(readings.tag, 1) as value,
        {{ feature_value('readings.feats', 'Case') }} as case_value,
        {{ feature_value('readings.feats', 'Number') }} as number,
        {{ feature_value('readings.feats', 'Gender') }} as gender,
        {{ feature_value('readings.feats', 'VerbForm') }} as verb_form,
        coalesce({{ feature_value('readings.feats', 'Voice') }} = 'Pass', false) as is_passive,
        nullif(native_readings.upos, '') as source_upos,
        coalesce(feature_lists.pairs, []) as pairs,
    from readings
    inner join native_readings
        on readings.reading = native_readings.reading
    left join feature_lists
        on readings.reading = feature_lists.reading

)

select * from full_readings
