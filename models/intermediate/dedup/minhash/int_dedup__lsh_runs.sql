with

datasketch as (

    select * from {{ ref('int_dedup__lsh_runs_datasketch') }}

),

-- one row per setting measured
lsh_runs as (

    select
        setting,
        bands,
        rows_per_band,
        containment_threshold,
        array_length(left_numbers)::integer as candidates,
        seconds,
    from datasketch

)

select * from lsh_runs
