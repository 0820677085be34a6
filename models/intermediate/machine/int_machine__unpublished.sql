with

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

projects as (

    select * from {{ ref('projects') }}

),

coverage as (

    select * from {{ ref('int_syntax__coverage') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

words as (

    select * from {{ ref('int_words__sentences') }}

),

published as (

    select * from {{ ref('int_machine__sentences') }}

),

folds as (

    select * from {{ ref('int_machine__folds') }}

),

-- one row per text that models learn from a published sentence
learnt_texts as (

    select distinct texts.dedup_key
    from published
    inner join texts
        on published.sentence_number = texts.sentence_number
    where published.is_training

),

-- one row per sentence that is annotated as a whole by a native project and is not published, damaged ones apart
annotated as (

    select
        sentences.sentence_number,
        sentences.sentence_id as id,
        sentences.canonical_work,
        sentences.project,
        texts.dedup_key,
        words.word_count,
    from sentences
    inner join outcomes
        on sentences.sentence_number = outcomes.sentence_number
    inner join projects
        on sentences.project = projects.project
    inner join coverage
        on sentences.sentence_number = coverage.sentence_number
    inner join texts
        on sentences.sentence_number = texts.sentence_number
    inner join words
        on sentences.sentence_number = words.sentence_number
    left join published
        on sentences.sentence_number = published.sentence_number
    where
        projects.syntax_scheme <> 'ud'
        and coverage.is_annotated
        and outcomes.outcome <> 'corrupt'
        and published.sentence_number is null

),

-- one row per text among them that is not learnt already, with the fold that its work is in, if it is in any
unpublished as (

    select
        annotated.id,
        annotated.sentence_number,
        annotated.canonical_work,
        annotated.project,
        annotated.word_count,
        annotated.dedup_key,
        folds.fold,
    from annotated
    left join folds
        on annotated.canonical_work = folds.canonical_work
    where annotated.dedup_key not in (select learnt_texts.dedup_key from learnt_texts)
    qualify row_number() over (partition by annotated.dedup_key order by annotated.sentence_number) = 1

)

select * from unpublished
order by id
