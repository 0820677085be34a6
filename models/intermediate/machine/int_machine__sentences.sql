with

published as (

    select * from {{ ref('int_splits__published') }}

),

folds as (

    select * from {{ ref('int_machine__folds') }}

),

projects as (

    select * from {{ ref('projects') }}

),

coverage as (

    select * from {{ ref('int_syntax__coverage') }}

),

-- one row per distinct published sentence
sentences as (

    select
        published.id,
        published.sentence_number,
        published.author,
        published.canonical_work,
        published.project,
        published.word_count,
        folds.fold,
        coverage.is_annotated,
        projects.syntax_scheme <> 'ud' and coverage.is_annotated as is_training,
    from published
    inner join folds
        on published.canonical_work = folds.canonical_work
    inner join projects
        on published.project = projects.project
    inner join coverage
        on published.sentence_number = coverage.sentence_number

)

select * from sentences
order by id
