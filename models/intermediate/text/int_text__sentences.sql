with

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

tokens as (

    select * from {{ ref('int_text__tokens') }}

),

-- one row per sentence with a published token
texts as (

    select
        sentence_number,
        string_agg(form, ' ' order by token_index) as text,
        string_agg(folded, '' order by token_index) as letters,
        count(*)::integer as word_count,
    from tokens
    where is_published
    group by sentence_number

),

flags as (

    select * from {{ ref('source_flags') }}

),

-- one row per sentence with a token that cannot be published
corruptions as (

    select
        sentence_number,
        arg_min(corruption, source_index) as corruption,
        arg_min(source_index, source_index) as corrupt_source_index,
    from tokens
    where is_corrupt
    group by sentence_number

),

-- one row per sentence read
text_sentences as (

    select
        sentences.sentence_number,
        texts.text,
        texts.letters,
        sha256(texts.letters) as dedup_key,
        coalesce(texts.word_count, 0) as word_count,
        coalesce(
            corruptions.corruption is not null
            or flags.decision = 'exclude'
            or texts.word_count > {{ var('max_sentence_words') }},
            false
        ) as is_corrupt,
        coalesce(
            corruptions.corruption,
            case
                when flags.decision = 'exclude' then 'source_flag'
                when texts.word_count > {{ var('max_sentence_words') }} then 'too_long'
            end
        ) as corruption,
        corruptions.corrupt_source_index,
    from sentences
    left join texts
        on sentences.sentence_number = texts.sentence_number
    left join corruptions
        on sentences.sentence_number = corruptions.sentence_number
    left join flags
        on
            sentences.project = flags.project
            and sentences.source_flag = flags.flag

)

select * from text_sentences
