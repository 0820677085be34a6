with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

written_tags as (

    select * from {{ ref('int_morphology__written_tags') }}

),

letters as (

    select * from {{ ref('int_morphology__tag_letters') }}

),

allowed_tags as (

    select * from {{ ref('allowed_tags') }}

),

tokens as (

    select * from {{ ref('int_morphology__reading_tokens') }}

),

-- one row per reading and fault of its tag; position 0 is the tag as a whole
faults as (

    select
        reading,
        0 as position,
        fault,
        tag as found,
        case fault
            when 'no_tag' then '---------'
            else rpad(left(tag, 9), 9, '-')
        end as became,
    from written_tags
    where fault is not null

    union all

    select
        reading,
        position,
        fault,
        found,
        value as became,
    from letters
    where fault is not null

),

-- one row per project, tag as written and fault; of a rebuilt tag nothing is written
found as (

    select
        readings.project,
        if(readings.tag_source = 'tag', readings.native_tag, null) as native_tag,
        written_tags.tag,
        faults.position::integer as position,
        faults.fault,
        faults.found,
        faults.became,
        sum(tokens.tokens)::bigint as tokens,
        arg_min(tokens.first_sentence_id, tokens.first_gid) as first_sentence_id,
        arg_min(tokens.first_source_token, tokens.first_gid) as first_source_token,
    from faults
    inner join readings
        on faults.reading = readings.reading
    inner join written_tags
        on faults.reading = written_tags.reading
    inner join tokens
        on faults.reading = tokens.reading
    group by all

),

-- one row per project, tag and fault; length alone loses nothing, anything else needs a permission
unknown_tags as (

    select
        found.*,
        found.fault = 'filled_up'
        or (found.fault = 'cut_off' and regexp_full_match(substr(found.tag, 10), '-+'))
        or exists (
            select 1
            from allowed_tags
            where
                allowed_tags.position = found.position
                and regexp_full_match(found.tag, allowed_tags.pattern)
        ) as is_allowed,
    from found

)

select * from unknown_tags
