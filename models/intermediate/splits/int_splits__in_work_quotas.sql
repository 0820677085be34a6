with

entered as (

    select * from {{ ref('int_splits__entered') }}

),

-- one row per author and canonical work: how many rows each split takes
quotas as (

    select
        author,
        canonical_work,
        count(*) as work_rows,
        case
            when count(*) < {{ var('smallest_split_work') }} then 0
            when count(*) <= {{ var('largest_single_row_work') }} then 1
            else {{ round_half_even(var('validation_share'), 'count(*)') }}
        end as validation_rows,
        case
            when count(*) <= {{ var('largest_single_row_work') }} then 0
            else {{ round_half_even(var('validation2_share'), 'count(*)') }}
        end as validation2_rows,
        case
            when count(*) < {{ var('smallest_split_work') }} then 0
            when count(*) <= {{ var('largest_single_row_work') }} then 1
            else {{ round_half_even(var('test_share'), 'count(*)') }}
        end as test_rows,
    from entered
    group by author, canonical_work

)

select * from quotas
