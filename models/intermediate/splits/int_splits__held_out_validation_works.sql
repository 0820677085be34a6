with

works as (

    select * from {{ ref('int_splits__held_out_test_works') }}

),

-- one row per track, scope and author with a test work
test_works as (

    select
        track,
        scope,
        author,
        canonical_work as test_work,
        work_rows as test_rows,
        projects as test_projects,
    from works
    where candidate_rank = 1

),

-- one row per track, scope, author and other work: does it share a project with the test work?
others as (

    select
        works.track,
        works.scope,
        works.author,
        works.canonical_work,
        works.work_rows,
        works.author_rows,
        test_works.test_work,
        list_has_any(works.projects, test_works.test_projects) as shares_project_with_test_work,
        works.author_rows - test_works.test_rows - works.work_rows as training_rows_left,
    from works
    inner join test_works
        on
            works.track = test_works.track
            and works.scope = test_works.scope
            and works.author = test_works.author
    where works.canonical_work <> test_works.test_work

),

-- one row per track, scope, author and other work, with the sharing works that would stay
remaining as (

    select
        *,
        sum(shares_project_with_test_work::int) over (partition by track, scope, author)::bigint
        - shares_project_with_test_work::int as sharing_works_left,
    from others

),

-- the same, with what speaks against it as a validation work alone
works_left as (

    select
        *,
        nullif(
            concat_ws(
                '; ',
                case
                    when training_rows_left < {{ var('held_out_min_training_rows') }}
                        then
                            'leaves ' || training_rows_left
                            || ' training rows of {{ var("held_out_min_training_rows") }}'
                end,
                case
                    when sharing_works_left = 0
                        then 'leaves no training work that shares a project with the test work'
                end
            ),
            ''
        ) as own_objection,
    from remaining

),

{{ work_choice('works_left', var('held_out_min_validation_rows'), var('held_out_validation_target')) }},

-- one row per track, scope, author and other work, the chosen one marked
validation_works as (

    select
        track,
        scope,
        author,
        canonical_work,
        test_work,
        work_rows,
        author_rows,
        shares_project_with_test_work,
        training_rows_left,
        sharing_works_left,
        is_candidate,
        objection,
        distance,
        candidate_rank,
    from ranked

)

select * from validation_works
