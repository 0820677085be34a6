with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per reading of words: how many they are, and the first
counts as (

    select
        readings.reading,
        count(*) as tokens,
        min(tokens.gid) as first_gid,
    from tokens
    inner join readings
        on
            tokens.project = readings.project
            and coalesce(tokens.native_tag, '') = readings.native_tag
            and coalesce(tokens.native_upos, '') = readings.native_upos
            and coalesce(tokens.native_feats, '') = readings.native_feats
    where tokens.row_kind = 'word'
    group by readings.reading

),

-- one row per reading of words, with the names of the first
reading_tokens as (

    select
        counts.reading,
        counts.tokens,
        counts.first_gid,
        sentences.sentence_id as first_sentence_id,
        tokens.source_token as first_source_token,
    from counts
    inner join tokens
        on counts.first_gid = tokens.gid
    inner join sentences
        on tokens.sentence_number = sentences.sentence_number

)

select * from reading_tokens
