with

held_out_rows as (

    select * from {{ ref('int_splits__held_out_rows') }}

),

-- one row per track, scope, author, work and project
work_projects as (

    select distinct
        track,
        scope,
        author,
        canonical_work,
        treebank_source,
    from held_out_rows

),

-- one row per track, scope, author and project with two or more works of the author
shared_projects as (

    select
        track,
        scope,
        author,
        treebank_source,
    from work_projects
    group by track, scope, author, treebank_source
    having count(*) > 1

),

-- one row per track, scope, author and work, with what the rule asks
works as (

    select
        held_out_rows.track,
        held_out_rows.scope,
        held_out_rows.author,
        held_out_rows.canonical_work,
        count(*) as work_rows,
        sum(count(*)) over (
            partition by held_out_rows.track, held_out_rows.scope, held_out_rows.author
        )::bigint as author_rows,
        list_sort(list(distinct held_out_rows.treebank_source)) as projects,
        count(shared_projects.treebank_source) > 0 as shares_project,
        case
            when count(shared_projects.treebank_source) = 0
                then 'shares no project with another work of the author'
        end as own_objection,
    from held_out_rows
    left join shared_projects
        on
            held_out_rows.track = shared_projects.track
            and held_out_rows.scope = shared_projects.scope
            and held_out_rows.author = shared_projects.author
            and held_out_rows.treebank_source = shared_projects.treebank_source
    group by
        held_out_rows.track,
        held_out_rows.scope,
        held_out_rows.author,
        held_out_rows.canonical_work

),

{{ work_choice('works', var('held_out_min_test_rows'), var('held_out_test_target')) }},

-- one row per track, scope, author and work, the chosen one marked
test_works as (

    select
        track,
        scope,
        author,
        canonical_work,
        work_rows,
        author_rows,
        projects,
        shares_project,
        is_candidate,
        objection,
        distance,
        candidate_rank,
    from ranked

)

select * from test_works
