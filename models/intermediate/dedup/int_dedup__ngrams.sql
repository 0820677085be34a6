with

tokens as (

    select * from {{ ref('int_text__tokens') }}

),

chosen as (

    select * from {{ ref('int_dedup__chosen_sentences') }}

),

words as (

    select * from {{ ref('int_dedup__words') }}

),

-- one row per published word of a sentence left after exact deduplication
places as (

    select
        tokens.sentence_number,
        tokens.token_index,
        words.word_number,
    from tokens
    inner join chosen on tokens.sentence_number = chosen.sentence_number
    inner join words on tokens.folded = words.folded
    where tokens.is_published

),

-- one row per word, with the words that follow it in the same sentence
windows as (

    select
        sentence_number,
        {{ following_words() }}
        count(*) over (partition by sentence_number) as words,
    from places

),

-- one row per sentence and distinct 4-gram
ngrams as (

    select distinct
        sentence_number,
        {{ ngram_columns() }},
    from windows
    where
        word_{{ var('ngram_size') }} is not null
        and words <= {{ var('max_sentence_words') }}

)

select * from ngrams
