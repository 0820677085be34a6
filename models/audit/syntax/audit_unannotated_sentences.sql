with

coverage as (

    select * from {{ ref('int_syntax__coverage') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per sentence that was never annotated as a whole
unannotated as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        coverage.words,
        coverage.tags,
        coverage.relations,
        coverage.heads,
        coverage.lemmas,
    from coverage
    inner join sentences
        on coverage.sentence_number = sentences.sentence_number
    where not coverage.is_annotated

)

select * from unannotated
