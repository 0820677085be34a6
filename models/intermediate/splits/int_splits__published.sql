with

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where not is_remainder

),

entered as (

    select * from {{ ref('int_splits__entered') }}

),

words as (

    select * from {{ ref('int_words__sentences') }}

),

-- one row per distinct published sentence, on whatever track
published_sentences as (

    select
        entered.sentence_number,
        entered.published_id as id,
        entered.author,
        entered.canonical_work,
        entered.treebank_source as project,
        words.word_count,
    from entered
    inner join words
        on entered.sentence_number = words.sentence_number
    where entered.sentence_number in (select assignments.sentence_number from assignments)

)

select * from published_sentences
