with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

parts as (

    select * from {{ ref('int_morphology__feature_parts') }}

),

all_features as (

    select * from {{ ref('int_morphology__features') }}

),

tense_aspect_to_tag as (

    select * from {{ ref('tense_aspect_to_tag') }}

),

allowed_features as (

    select * from {{ ref('allowed_features') }}

),

tokens as (

    select * from {{ ref('int_morphology__reading_tokens') }}

),

-- one row per reading of a project without tags, with a tense or an aspect
tenses as (

    select
        all_features.reading,
        string_agg(
            all_features.feature || '=' || all_features.feature_value, '|' order by all_features.feature
        ) as text,
        coalesce(max(all_features.feature_value) filter (where all_features.feature = 'Tense'), '') as tense,
        coalesce(max(all_features.feature_value) filter (where all_features.feature = 'Aspect'), '') as aspect,
    from all_features
    inner join readings
        on all_features.reading = readings.reading
    where
        readings.tag_source = 'features'
        and all_features.feature in ('Tense', 'Aspect')
    group by all_features.reading

),

-- one row per reading and fault of its features
faults as (

    select
        reading,
        text,
        fault,
    from parts
    where fault is not null

    union all

    select
        tenses.reading,
        tenses.text,
        'unknown_pair' as fault,
    from tenses
    left join tense_aspect_to_tag
        on
            tenses.tense = coalesce(tense_aspect_to_tag.tense, '')
            and tenses.aspect = coalesce(tense_aspect_to_tag.aspect, '')
    where tense_aspect_to_tag.value is null

),

-- one row per project, feature as written and fault
found as (

    select
        readings.project,
        faults.text as feature,
        faults.fault,
        sum(tokens.tokens)::bigint as tokens,
        arg_min(tokens.first_sentence_id, tokens.first_gid) as first_sentence_id,
        arg_min(tokens.first_source_token, tokens.first_gid) as first_source_token,
    from (select distinct * from faults) as faults
    inner join readings
        on faults.reading = readings.reading
    inner join tokens
        on faults.reading = tokens.reading
    group by readings.project, faults.text, faults.fault

),

-- one row per project, feature and fault; another order loses nothing, anything else needs a permission
unknown_features as (

    select
        found.*,
        found.fault = 'unsorted' or allowed_features.feature is not null as is_allowed,
    from found
    left join allowed_features
        on
            found.feature = allowed_features.feature
            and found.fault = allowed_features.fault

)

select * from unknown_features
