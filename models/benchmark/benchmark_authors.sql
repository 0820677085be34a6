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
        {{ kept_rows('train') }} as train_rows,
        {{ kept_rows('validation') }} as validation_rows,
        {{ kept_rows('validation2') }} as validation2_rows,
        {{ kept_rows('test') }} as test_rows,
        count(*) filter (where is_remainder) as remainder_rows,
    from assignments
    group by track, author

)

select * from authors
order by track, author
