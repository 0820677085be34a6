with

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where not is_remainder

),

-- one row per track and published sentence
split_assignments as (

    select
        track,
        sentence_id,
        published_id,
        author,
        canonical_work,
        split,
    from assignments

)

select * from split_assignments
order by track, published_id
