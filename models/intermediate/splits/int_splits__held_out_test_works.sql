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
        treebank_source
    from held_out_rows

),

-- one row per track, scope, author and project with two or more works of the author
shared_projects as (

    select
        track,
        scope,
        author,
        treebank_source
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
        count(shared_projects.treebank_source) > 0 as shares_project
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

-- one row per track, scope, author and work, with the verdict
candidates as (

    select
        *,
        nullif(
            concat_ws(
                '; ',
                case
                    when work_rows < {{ var('held_out_min_test_rows') }}
                        then 'fewer than {{ var("held_out_min_test_rows") }} rows'
                end,
                case
                    when {{ exceeds_share(var('held_out_max_share'), 'work_rows', 'author_rows') }}
                        then
                            'more than {{ var("held_out_max_share") }} of the rows of the author'
                end,
                case
                    when not shares_project
                        then 'shares no project with another work of the author'
                end
            ),
            ''
        ) as objection,
        {{ distance_to_share(var('held_out_test_target'), 'work_rows', 'author_rows') }}
            as distance
    from works

),

-- one row per track, scope, author and work, the chosen one marked
chosen as (

    select
        track,
        scope,
        author,
        canonical_work,
        work_rows,
        author_rows,
        projects,
        shares_project,
        objection is null as is_candidate,
        objection,
        distance,
        case
            when objection is null
                then
                    row_number() over (
                        partition by track, scope, author
                        order by objection is null desc, distance, canonical_work asc
                    )
        end as candidate_rank
    from candidates

)

select * from chosen
