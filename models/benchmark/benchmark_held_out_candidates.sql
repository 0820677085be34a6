with

test_works as (

    select * from {{ ref('int_splits__held_out_test_works') }}

),

validation_works as (

    select * from {{ ref('int_splits__held_out_validation_works') }}

),

scopes as (

    select * from {{ ref('int_splits__held_out_scopes') }}

),

works as (

    select * from {{ ref('int_splits__works') }}

),

-- one row per held-out track, scope, author and work of the author
candidates as (

    select
        test_works.track,
        test_works.scope,
        scopes.scope_rank = 1 as is_chosen_scope,
        test_works.author,
        test_works.canonical_work,
        works.title,
        works.genre,
        test_works.projects,
        test_works.work_rows,
        test_works.author_rows,
        round(test_works.work_rows / test_works.author_rows, 4) as share,
        test_works.shares_project,
        test_works.is_candidate as is_test_candidate,
        test_works.objection as test_objection,
        round(
            {{ share_of(var('held_out_test_target')) }} * test_works.author_rows, 2
        ) as test_target_rows,
        test_works.candidate_rank as test_rank,
        coalesce(test_works.candidate_rank = 1, false) as is_test_work,
        validation_works.shares_project_with_test_work,
        validation_works.training_rows_left,
        validation_works.sharing_works_left as sharing_training_works_left,
        validation_works.is_candidate as is_validation_candidate,
        validation_works.objection as validation_objection,
        round(
            {{ share_of(var('held_out_validation_target')) }} * test_works.author_rows, 2
        ) as validation_target_rows,
        validation_works.candidate_rank as validation_rank,
        coalesce(validation_works.candidate_rank = 1, false) as is_validation_work,
    from test_works
    inner join scopes
        on
            test_works.track = scopes.track
            and test_works.scope = scopes.scope
    inner join works on test_works.canonical_work = works.canonical_work
    left join validation_works
        on
            test_works.track = validation_works.track
            and test_works.scope = validation_works.scope
            and test_works.author = validation_works.author
            and test_works.canonical_work = validation_works.canonical_work

)

select * from candidates
order by track, scope, author, canonical_work
