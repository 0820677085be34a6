with

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

flags as (

    select * from {{ ref('source_flags') }}

),

-- one row per sentence with a flag
flagged_sentences as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        sentences.source_flag as flag,
        flags.meaning,
        flags.decision,
    from sentences
    left join flags
        on
            sentences.project = flags.project
            and sentences.source_flag = flags.flag
    where sentences.source_flag <> ''

)

select * from flagged_sentences
