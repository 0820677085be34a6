with

candidates as (

    select * from {{ ref('benchmark_held_out_candidates') }}

),

authors as (

    select * from {{ ref('int_splits__held_out_authors') }}
    where is_qualified

),

scopes as (

    select * from {{ ref('int_splits__held_out_scopes') }}
    where is_built

),

-- one row per track that is built, author on it and work of the author
works as (

    select candidates.*
    from candidates
    inner join scopes
        on
            candidates.track = scopes.track
            and candidates.scope = scopes.scope
    inner join authors
        on
            candidates.track = authors.track
            and candidates.scope = authors.scope
            and candidates.author = authors.author

),

-- one row per track and author: what the two choices were made from
choices as (

    select
        track,
        author,
        min(canonical_work) filter (where is_test_work) as test_work,
        min(canonical_work) filter (where is_validation_work) as validation_work,
        count(*) as works,
        count(*) filter (where is_test_candidate) as test_candidates,
        count(*) filter (where is_validation_candidate) as validation_candidates,
    from works
    group by track, author

),

-- one row per track, author and project that a training work was annotated in
training_projects as (

    select distinct
        track,
        author,
        unnest(projects) as project,
    from works
    where not (is_test_work or is_validation_work)

),

-- one row per track and author: the projects that test and training share
test_projects as (

    select
        works.track,
        works.author,
        list_sort(list(training_projects.project)) as test_projects,
    from works
    inner join training_projects
        on
            works.track = training_projects.track
            and works.author = training_projects.author
            and list_contains(works.projects, training_projects.project)
    where works.is_test_work
    group by works.track, works.author

),

-- one row per track and genre
genres as (

    select
        track,
        genre,
        count(distinct author) as authors,
    from works
    group by track, genre

),

-- one row per track and author on it
held_out_works as (

    select
        tested.track,
        tested.author,
        tested.author_rows,
        choices.works,
        tested.canonical_work as held_out_work,
        tested.title as held_out_work_title,
        tested.work_rows as test_work_rows,
        tested.share as test_work_share,
        test_projects.test_projects,
        'closest of ' || choices.test_candidates || ' to '
        || tested.test_target_rows || ' rows' as test_reason,
        validated.canonical_work as held_out_validation_work,
        validated.title as held_out_validation_work_title,
        validated.work_rows as validation_work_rows,
        validated.share as validation_work_share,
        case
            when choices.validation_work is null
                then 'no other work can be spared: rows of the training works in hash order'
            else
                'closest of ' || choices.validation_candidates || ' to '
                || validated.validation_target_rows || ' rows'
        end as validation_reason,
        tested.genre as held_out_genre,
        case when genres.authors > 1 then 'rival' else 'singleton' end as held_out_group,
    from choices
    inner join works as tested
        on
            choices.track = tested.track
            and choices.author = tested.author
            and choices.test_work = tested.canonical_work
    inner join test_projects
        on
            choices.track = test_projects.track
            and choices.author = test_projects.author
    inner join genres
        on
            tested.track = genres.track
            and tested.genre = genres.genre
    left join works as validated
        on
            choices.track = validated.track
            and choices.author = validated.author
            and choices.validation_work = validated.canonical_work

)

select * from held_out_works
order by track, author
