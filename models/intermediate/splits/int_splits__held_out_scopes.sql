with

authors as (

    select * from {{ ref('int_splits__held_out_authors') }}

),

tracks as (

    select * from {{ ref('tracks') }}
    where split_rule = 'held_out'

),

projects as (

    select * from {{ ref('projects') }}

),

-- one row per track and scope
scopes as (

    select
        track,
        scope,
        count(*) as authors,
        count(*) filter (where candidates > 0) as authors_with_test_work,
        count(*) filter (where is_qualified) as authors_qualified,
        sum(author_rows)::bigint as scope_rows,
    from authors
    group by track, scope

),

-- one row per track and scope, the best one first
ranked as (

    select
        scopes.*,
        row_number() over (
            partition by scopes.track
            order by
                scopes.authors_qualified desc,
                scopes.scope_rows desc,
                projects.source_priority asc,
                scopes.scope asc
        ) as scope_rank,
    from scopes
    left join projects on scopes.scope = projects.project

),

-- one row per track and scope, the built one marked
held_out_scopes as (

    select
        ranked.track,
        ranked.scope,
        ranked.authors,
        ranked.authors_with_test_work,
        ranked.authors_qualified,
        ranked.scope_rows,
        ranked.scope_rank,
        ranked.scope_rank = 1
        and ranked.authors_qualified
        >= case when tracks.is_matched then {{ var('held_out_min_authors') }} else 1 end as is_built,
    from ranked
    inner join tracks on ranked.track = tracks.track

)

select * from held_out_scopes
