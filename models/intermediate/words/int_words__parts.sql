with

pairs as (

    select * from {{ ref('int_words__spelled_pairs') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

texts as (

    select * from {{ ref('int_text__tokens') }}

),

-- one row per multiword range, with the ids that it covers
ranges as (

    select
        tokens.sentence_number,
        split_part(tokens.source_token, '-', 1)::integer as first_id,
        split_part(tokens.source_token, '-', 2)::integer as last_id,
        texts.form,
    from tokens
    inner join texts
        on tokens.gid = texts.gid
    where
        tokens.row_kind = 'range'
        and texts.form <> ''

),

-- one row per published word of a range
covered as (

    select
        texts.gid,
        max(texts.gid) over (partition by ranges.sentence_number, ranges.first_id) as word_gid,
        ranges.form,
    from ranges
    inner join tokens
        on
            ranges.sentence_number = tokens.sentence_number
            and try_cast(tokens.source_token as integer) between ranges.first_id and ranges.last_id
    inner join texts
        on tokens.gid = texts.gid
    where
        tokens.row_kind = 'word'
        and texts.is_published

),

-- one row per published token that is only a part of a word of the line
parts as (

    select
        first_gid as gid,
        second_gid as word_gid,
        form,
        lemma,
    from pairs
    union all
    select
        second_gid as gid,
        second_gid as word_gid,
        form,
        lemma,
    from pairs
    union all
    select
        gid,
        word_gid,
        form,
        null as lemma,
    from covered

)

select * from parts
