with

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where not is_remainder

),

catalogue as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

-- one row per distinct published sentence, on whatever track
numbers as (

    select distinct sentence_number
    from assignments

),

-- one row per distinct published sentence, with its id
published as (

    select
        numbers.sentence_number,
        {{ published_id('texts.dedup_key') }} as id,
        catalogue.author,
        catalogue.canonical_work,
        catalogue.project,
        texts.word_count
    from numbers
    inner join catalogue on numbers.sentence_number = catalogue.sentence_number
    inner join texts on numbers.sentence_number = texts.sentence_number

)

select * from published
