with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

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
        if(coalesce(upos_to_tag.feature, '') = '', 2, 1) as preference,
    from features
    inner join upos_to_tag
        on
            features.native_upos = upos_to_tag.upos
            and (coalesce(upos_to_tag.feature, '') in ('', features.feature))

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

-- one row per reading without such a tag and position with a value
positions as (

    select
        project,
        native_tag,
        native_upos,
        native_feats,
        position,
        arg_min(value, preference) as value,
    from rebuilt
    group by all

)

select * from positions
