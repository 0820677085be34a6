with

published as (

    select * from {{ ref('int_splits__published') }}

),

doubly_annotated as (

    select * from {{ ref('int_syntax__doubly_annotated') }}

),

catalogue as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_words__sentences') }}

),

-- one row per sentence that two projects have annotated
annotated_twice as (

    select sentence_number from doubly_annotated
    union
    select other_sentence_number from doubly_annotated

),

-- one row per sentence that is published, or that two projects have annotated
sentences as (

    select
        catalogue.sentence_number,
        published.id,
        published.id is not null as is_published,
        catalogue.author,
        catalogue.project,
        catalogue.path_rank,
        catalogue.position,
        texts.word_count as words,
    from catalogue
    inner join texts on catalogue.sentence_number = texts.sentence_number
    left join published on catalogue.sentence_number = published.sentence_number
    left join annotated_twice on catalogue.sentence_number = annotated_twice.sentence_number
    where
        published.id is not null
        or annotated_twice.sentence_number is not null

)

select * from sentences
order by sentence_number
