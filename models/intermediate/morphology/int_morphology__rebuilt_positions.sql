with

native_readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

all_features as (

    select * from {{ ref('int_morphology__features') }}

),

feats_to_tag as (

    select * from {{ ref('feats_to_tag') }}

),

upos_to_tag as (

    select * from {{ ref('upos_to_tag') }}

),

tense_aspect_to_tag as (

    select * from {{ ref('tense_aspect_to_tag') }}

),

-- one row per reading of a project without such tags
readings as (

    select * from native_readings
    where tag_source = 'features'

),

-- one row per reading of a project without such tags, and feature
features as (

    select all_features.*
    from all_features
    inner join readings
        on all_features.reading = readings.reading

),

-- one row per reading with a tense or an aspect: both decide one position together
tenses as (

    select
        reading,
        coalesce(max(feature_value) filter (where feature = 'Tense'), '') as tense,
        coalesce(max(feature_value) filter (where feature = 'Aspect'), '') as aspect,
    from features
    where feature in ('Tense', 'Aspect')
    group by reading

),

-- one row per reading, position and value found for it; the smallest preference wins
rebuilt as (

    select
        readings.reading,
        1 as position,
        upos_to_tag.value,
        if(features.reading is null, 2, 1) as preference,
    from readings
    inner join upos_to_tag
        on readings.upos = upos_to_tag.upos
    left join features
        on
            readings.reading = features.reading
            and features.feature || '=' || features.feature_value = upos_to_tag.feature
    where
        coalesce(upos_to_tag.feature, '') = ''
        or features.reading is not null

    union all

    select
        features.reading,
        feats_to_tag.position,
        feats_to_tag.value,
        if(feats_to_tag.feature = 'VerbForm', 2, 1) as preference,
    from features
    inner join feats_to_tag
        on
            features.feature = feats_to_tag.feature
            and features.feature_value = feats_to_tag.feature_value

    union all

    select
        tenses.reading,
        4 as position,
        tense_aspect_to_tag.value,
        1 as preference,
    from tenses
    inner join tense_aspect_to_tag
        on
            tenses.tense = coalesce(tense_aspect_to_tag.tense, '')
            and tenses.aspect = coalesce(tense_aspect_to_tag.aspect, '')

),

-- one row per reading without such a tag and position with a value; of equals the first letter of the alphabet
positions as (

    select
        reading,
        position,
        arg_min(value, (preference, value)) as value,
    from rebuilt
    group by reading, position

)

select * from positions
