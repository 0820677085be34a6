with

unpublished as (

    select * from {{ ref('int_machine__unpublished') }}

),

published as (

    select * from {{ ref('int_machine__sentences') }}

),

tokens as (

    select * from {{ ref('int_text__tokens') }}

),

word_numbers as (

    select * from {{ ref('int_dedup__words') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

ngrams as (

    select * from {{ ref('int_dedup__ngrams') }}

),

-- one row per token of an unpublished sentence; a word that no published sentence has keeps its place without a number
places as (

    select
        tokens.sentence_number,
        tokens.token_index,
        coalesce(word_numbers.word_number, 0) as word_number,
    from tokens
    inner join unpublished
        on tokens.sentence_number = unpublished.sentence_number
    left join word_numbers
        on tokens.folded = word_numbers.folded
    where tokens.is_published

),

-- one row per token, with the words that follow it in the same sentence
windows as (

    select
        sentence_number,
        {{ following_words() }}
    from places

),

-- one row per unpublished sentence and distinct 4-gram
own_ngrams as (

    select distinct
        sentence_number,
        {{ ngram_columns() }},
    from windows
    where word_{{ var('ngram_size') }} is not null

),

-- one row per sentence of either kind: its 4-grams
sizes as (

    select
        sentence_number,
        count(*) as set_size,
    from own_ngrams
    group by sentence_number
    union all
    select
        ngrams.sentence_number,
        count(*) as set_size,
    from ngrams
    inner join published
        on ngrams.sentence_number = published.sentence_number
    group by ngrams.sentence_number

),

-- one row per unpublished and published sentence with a common 4-gram
shared as (

    select
        own_ngrams.sentence_number,
        published.sentence_number as published_number,
        count(*) as shared,
    from own_ngrams
    inner join ngrams
        on {{ same_ngram('own_ngrams', 'ngrams') }}
    inner join published
        on ngrams.sentence_number = published.sentence_number
    group by own_ngrams.sentence_number, published.sentence_number

),

-- one row per unpublished sentence and published one that it is like, part of, or a copy of
unpublished_likes as (

    select
        shared.sentence_number,
        shared.published_number,
    from shared
    inner join sizes as own_sizes
        on shared.sentence_number = own_sizes.sentence_number
    inner join sizes as other_sizes
        on shared.published_number = other_sizes.sentence_number
    where shared.shared >= {{ var('near_duplicate_min_share') }} * least(own_sizes.set_size, other_sizes.set_size)
    union
    select
        unpublished.sentence_number,
        published.sentence_number as published_number,
    from unpublished
    inner join texts
        on unpublished.dedup_key = texts.dedup_key
    inner join published
        on texts.sentence_number = published.sentence_number

)

select * from unpublished_likes
