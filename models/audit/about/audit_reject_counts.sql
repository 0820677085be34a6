with

-- one row per project, what was expected and what was found instead
counts as (

    select
        coalesce(project, '(none)') as project,
        coalesce(expected, '(none)') as expected,
        coalesce(found, '(none)') as found,
        count(*) as faults,
    from {{ source('raw', 'rejects') }}
    group by coalesce(project, '(none)'), coalesce(expected, '(none)'), coalesce(found, '(none)')

)

select * from counts
order by project, expected, found
