with

runs as (

    select * from {{ ref('int_dedup__lsh_runs_datasketch') }}

),

-- one row per setting and candidate pair
lsh_candidates as (

    select
        setting,
        unnest(left_numbers) as left_number,
        unnest(right_numbers) as right_number,
    from runs

)

select * from lsh_candidates
