with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

ud_upos as (

    select * from {{ ref('ud_upos') }}

),

allowed_classes as (

    select * from {{ ref('allowed_classes') }}

),

tokens as (

    select * from {{ ref('int_morphology__reading_tokens') }}

),

-- one row per project and class that is not written as the table has it
found as (

    select
        readings.project,
        readings.native_upos,
        known.upos as read_as,
        sum(tokens.tokens)::bigint as tokens,
        arg_min(tokens.first_sentence_id, tokens.first_gid) as first_sentence_id,
        arg_min(tokens.first_source_token, tokens.first_gid) as first_source_token,
    from readings
    inner join tokens
        on readings.reading = tokens.reading
    left join ud_upos as known
        on readings.upos = known.upos
    where
        readings.native_upos <> ''
        and {{ without_outer_blanks('readings.native_upos') }} not in (select ud_upos.upos from ud_upos)
    group by readings.project, readings.native_upos, known.upos

),

-- one row per project and class, with the permission it may have
unknown_classes as (

    select
        found.*,
        allowed_classes.upos is not null as is_allowed,
    from found
    left join allowed_classes
        on {{ without_outer_blanks('found.native_upos') }} = allowed_classes.upos

)

select * from unknown_classes
