with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

rebuilt_positions as (

    select * from {{ ref('int_morphology__rebuilt_positions') }}

),

tag_positions as (

    select * from {{ ref('tag_positions') }}

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

    select * from rebuilt_positions

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

),

-- one row per reading; a verb with a case and without tense, mood and voice is a verbal adjective
final as (

    select
        * exclude (tag),
        case
            when regexp_matches(tag, '^v..---.[^-]') then left(tag, 4) || 'g' || substr(tag, 6)
            else tag
        end as tag,
    from tags

)

select * from final
