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

-- one row per position of the tag
positions as (

    select distinct position
    from tag_positions

),

-- one row per reading: small letters, no quotes and blanks, one sign for an open position
texts as (

    select
        reading,
        regexp_replace(
            regexp_replace(lower(native_tag), '["''“”‘’\s\p{Z}\p{Cf}]', '', 'g'),
            '[_‐‑‒–—−]',
            '-',
            'g'
        ) as tag,
    from readings
    where tag_source = 'tag'

    union all

    select
        readings.reading,
        string_agg(coalesce(rebuilt_positions.value, '-'), '' order by positions.position) as tag,
    from readings
    cross join positions
    left join rebuilt_positions
        on
            readings.reading = rebuilt_positions.reading
            and positions.position = rebuilt_positions.position
    where readings.tag_source = 'features'
    group by readings.reading

),

-- one row per reading: how many positions hold a letter that they do not have
counts as (

    select
        texts.reading,
        count(*) filter (
            where
            substr(texts.tag, positions.position, 1) not in ('', '-')
            and tag_positions.value is null
        ) as unknown_letters,
    from texts
    cross join positions
    left join tag_positions
        on
            positions.position = tag_positions.position
            and substr(texts.tag, positions.position, 1) = tag_positions.value
    group by texts.reading

),

-- one row per reading, with what is wrong with the tag as a whole
written_tags as (

    select
        texts.reading,
        texts.tag,
        case
            when texts.tag in ('', '-') then null
            when counts.unknown_letters > 1 then 'no_tag'
            when counts.unknown_letters = 1 and length(texts.tag) <> 9 then 'no_tag'
            when length(texts.tag) < 9 then 'filled_up'
            when length(texts.tag) > 9 then 'cut_off'
        end as fault,
    from texts
    inner join counts
        on texts.reading = counts.reading

)

select * from written_tags
