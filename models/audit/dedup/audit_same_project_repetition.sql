with

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}

),

-- one row per pair of one author inside one project that reaches the thresholds of near-duplicates
repetitions as (

    select
        left_author as author,
        left_project as project,
        right_project as other_project,
        left_number,
        right_number,
        shared,
    from pairs
    where rule = 'same_project_repetition'

),

-- one row per pair and side
sides as (

    select
        author,
        project,
        other_project,
        left_number as sentence_number,
    from repetitions
    union all
    select
        author,
        project,
        other_project,
        right_number as sentence_number,
    from repetitions

),

-- one row per author and project: the sentences that repeat each other
sentence_counts as (

    select
        author,
        project,
        other_project,
        count(distinct sentence_number)::integer as sentences,
    from sides
    group by author, project, other_project

),

-- one row per author and project: the pairs
pair_counts as (

    select
        author,
        project,
        other_project,
        count(*)::integer as pairs,
        sum(shared)::integer as shared,
    from repetitions
    group by author, project, other_project

),

-- one row per author and project
repetition_counts as (

    select
        pair_counts.author,
        pair_counts.project,
        pair_counts.other_project,
        pair_counts.pairs,
        sentence_counts.sentences,
        pair_counts.shared,
    from pair_counts
    inner join sentence_counts
        on
            pair_counts.author = sentence_counts.author
            and pair_counts.project = sentence_counts.project
            and pair_counts.other_project = sentence_counts.other_project
    order by pair_counts.author, pair_counts.project, pair_counts.other_project

)

select * from repetition_counts
