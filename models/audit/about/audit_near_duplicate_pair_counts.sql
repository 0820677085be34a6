with

pairs as (

    select * from {{ ref('audit_near_duplicate_pairs') }}

),

-- one row per decision, and one per decision and two projects
counts as (

    select
        decision,
        null::varchar as project,
        null::varchar as other_project,
        count(*) as pairs,
    from pairs
    group by decision
    union all
    select
        decision,
        project,
        other_project,
        count(*) as pairs,
    from pairs
    group by decision, project, other_project

)

select * from counts
order by decision, project nulls first, other_project nulls first
