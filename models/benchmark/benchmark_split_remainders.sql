with

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where is_remainder

),

-- one row per track and sentence cut to reach a multiple of ten
split_remainders as (

    select
        track,
        sentence_id,
        published_id,
        author,
        canonical_work,
        split,
    from assignments

)

select * from split_remainders
order by track, published_id
