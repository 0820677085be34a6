with

tokens as (

    select * from {{ ref('int_corpus__tokens') }}

),

tag_sources as (

    select * from {{ ref('tag_sources') }}

),

tag_positions as (

    select * from {{ ref('tag_positions') }}

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

-- one row per reading: a tag, class and features as written in one project
readings as (

    select distinct
        tokens.project,
        tag_sources.tag_source,
        coalesce(tokens.native_tag, '') as native_tag,
        coalesce(tokens.native_upos, '') as native_upos,
        coalesce(tokens.native_feats, '') as native_feats,
    from tokens
    inner join tag_sources
        on tokens.project = tag_sources.project

),

-- one row per reading of a project that writes nine positions, and position
written as (

    select
        readings.*,
        positions.position,
        substr(
            regexp_replace(lower(readings.native_tag), '["''“”‘’\s]', '', 'g'),
            positions.position,
            1
        ) as value,
    from readings
    cross join (select distinct position from tag_positions) as positions
    where readings.tag_source = 'tag'

),

-- one row per reading of a project without such tags, and feature
features as (

    select
        *,
        unnest(string_split(native_feats, '|')) as feature,
    from readings
    where tag_source = 'features'

),

-- one row per reading without such a tag: tense and aspect decide one position together
tenses as (

    select
        project,
        native_tag,
        native_upos,
        native_feats,
        coalesce(max(if(feature like 'Tense=%', substr(feature, 7), null)), '') as tense,
        coalesce(max(if(feature like 'Aspect=%', substr(feature, 8), null)), '') as aspect,
    from features
    group by all

),

-- one row per reading without such a tag, position and value found for it
rebuilt as (

    select
        features.project,
        features.native_tag,
        features.native_upos,
        features.native_feats,
        1 as position,
        upos_to_tag.value,
        if(upos_to_tag.feature is null, 2, 1) as preference,
    from features
    inner join upos_to_tag
        on
            features.native_upos = upos_to_tag.upos
            and (upos_to_tag.feature is null or features.feature = upos_to_tag.feature)

    union all

    select
        features.project,
        features.native_tag,
        features.native_upos,
        features.native_feats,
        feats_to_tag.position,
        feats_to_tag.value,
        if(feats_to_tag.feature = 'VerbForm', 2, 1) as preference,
    from features
    inner join feats_to_tag
        on features.feature = feats_to_tag.feature || '=' || feats_to_tag.feature_value

    union all

    select
        tenses.project,
        tenses.native_tag,
        tenses.native_upos,
        tenses.native_feats,
        4 as position,
        tense_aspect_to_tag.value,
        1 as preference,
    from tenses
    inner join tense_aspect_to_tag
        on
            tenses.tense = coalesce(tense_aspect_to_tag.tense, '')
            and tenses.aspect = coalesce(tense_aspect_to_tag.aspect, '')

),

-- one row per reading, position and known value
known as (

    select
        written.project,
        written.native_tag,
        written.native_upos,
        written.native_feats,
        written.position,
        written.value,
    from written
    inner join tag_positions
        on
            written.position = tag_positions.position
            and written.value = tag_positions.value

    union all

    select
        project,
        native_tag,
        native_upos,
        native_feats,
        position,
        arg_min(value, preference) as value,
    from rebuilt
    group by all

),

-- one row per reading
tags as (

    select
        readings.project,
        readings.native_tag,
        readings.native_upos,
        readings.native_feats,
        string_agg(coalesce(known.value, '-'), '' order by positions.position) as tag,
    from readings
    cross join (select distinct position from tag_positions) as positions
    left join known
        on
            readings.project = known.project
            and readings.native_tag = known.native_tag
            and readings.native_upos = known.native_upos
            and readings.native_feats = known.native_feats
            and positions.position = known.position
    group by
        readings.project,
        readings.native_tag,
        readings.native_upos,
        readings.native_feats

)

select * from tags
