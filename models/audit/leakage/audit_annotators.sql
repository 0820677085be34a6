with

split_annotators as (

    select * from {{ ref('int_splits__annotators') }}

),

-- one row per track, author and split
annotators as (

    select
        track,
        author,
        split,
        sentences,
        works,
        projects,
        annotators,
        unnamed,
    from split_annotators

)

select * from annotators
order by track, author, split
