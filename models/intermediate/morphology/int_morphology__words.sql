with

corpus_tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

readings as (

    select * from {{ ref('int_morphology__readings') }}

),

-- one row per word
words as (

    select
        corpus_tokens.gid,
        readings.reading,
        readings.tag,
        readings.upos,
        readings.feats,
    from corpus_tokens
    inner join readings
        on
            corpus_tokens.project = readings.project
            and coalesce(corpus_tokens.native_tag, '') = readings.native_tag
            and coalesce(corpus_tokens.native_upos, '') = readings.native_upos
            and coalesce(corpus_tokens.native_feats, '') = readings.native_feats
    where corpus_tokens.row_kind = 'word'

)

select * from words
