with

written_tags as (

    select * from {{ ref('int_morphology__written_tags') }}

),

tag_positions as (

    select * from {{ ref('tag_positions') }}

),

part_positions as (

    select * from {{ ref('part_positions') }}

),

tag_conflicts as (

    select * from {{ ref('tag_conflicts') }}

),

-- one row per reading and position: its letter
letters as (

    select
        written_tags.reading,
        positions.position,
        if(
            written_tags.fault is not distinct from 'no_tag',
            '-',
            coalesce(nullif(substr(written_tags.tag, positions.position, 1), ''), '-')
        ) as found,
    from written_tags
    cross join (select distinct position from tag_positions) as positions

),

-- one row per reading and position: its letter where the position has such a letter
known as (

    select
        letters.*,
        coalesce(tag_positions.value, '-') as value,
    from letters
    left join tag_positions
        on
            letters.position = tag_positions.position
            and letters.found = tag_positions.value

),

-- one row per reading and position: its letter where the part of speech has the position
possible as (

    select
        known.reading,
        known.position,
        known.found,
        known.value as known_value,
        if(known.position = 1 or part_positions.position is not null, known.value, '-') as value,
    from known
    inner join known as firsts
        on
            known.reading = firsts.reading
            and firsts.position = 1
    left join part_positions
        on
            firsts.value = part_positions.part_of_speech
            and known.position = part_positions.position

),

-- one row per reading: the tag of possible letters
tags as (

    select
        reading,
        string_agg(value, '' order by position) as tag,
    from possible
    group by reading

),

-- one row per tag and position that the rest of the tag excludes
excluded as (

    select distinct
        distinct_tags.tag,
        tag_conflicts.position,
    from (select distinct tag from tags) as distinct_tags
    inner join tag_conflicts
        on regexp_full_match(distinct_tags.tag, tag_conflicts.pattern)

),

-- one row per reading and position, with what was wrong with it
tag_letters as (

    select
        possible.reading,
        possible.position,
        possible.found,
        if(excluded.position is null, possible.value, '-') as value,
        case
            when possible.known_value <> possible.found then 'unknown_letter'
            when possible.value <> possible.found then 'impossible_position'
            when excluded.position is not null and possible.value <> '-' then 'impossible_combination'
        end as fault,
    from possible
    inner join tags
        on possible.reading = tags.reading
    left join excluded
        on
            tags.tag = excluded.tag
            and possible.position = excluded.position

)

select * from tag_letters
