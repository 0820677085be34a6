with

sentences as (

    select * from {{ ref('audit_flagged_sentences') }}

),

-- one row per project and flag
counts as (

    select
        project,
        flag,
        count(*) as sentences,
    from sentences
    group by project, flag

)

select * from counts
order by project, flag
