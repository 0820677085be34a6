with

tokens as (

    select * from {{ ref('int_text__tokens') }}

),

chosen as (

    select * from {{ ref('int_dedup__chosen_sentences') }}

),

-- one row per distinct letters key of a word
words as (

    select distinct tokens.folded,
    from tokens
    inner join chosen on tokens.sentence_number = chosen.sentence_number
    where tokens.is_published

),

-- one row per distinct letters key, numbered in code point order
numbered_words as (

    select
        folded,
        (row_number() over (order by folded))::integer as word_number,
    from words

)

select * from numbered_words
