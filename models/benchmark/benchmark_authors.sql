with

assignments as (

    select * from {{ ref('int_splits__assignments') }}

),

-- one row per track and author on it
authors as (

    select
        track,
        author,
        count(distinct canonical_work) filter (where not is_remainder) as works,
        count(*) filter (where not is_remainder) as published_rows,
        count(*) filter (where split = 'train' and not is_remainder) as train_rows,
        count(*) filter (where split = 'validation' and not is_remainder) as validation_rows,
        count(*) filter (where split = 'validation2' and not is_remainder) as validation2_rows,
        count(*) filter (where split = 'test' and not is_remainder) as test_rows,
        count(*) filter (where is_remainder) as remainder_rows
    from assignments
    group by track, author

)

select * from authors
order by track, author
