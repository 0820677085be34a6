with

conflicts as (

    select * from {{ ref('audit_author_conflicts') }}

),

-- one row per set of authors
counts as (

    select
        authors,
        count(*) as conflict_groups,
        sum(sentences)::bigint as sentences,
    from conflicts
    group by authors

),

-- the same, with the place by frequency
places as (

    select
        row_number() over (order by conflict_groups desc, authors asc) as place,
        authors,
        conflict_groups,
        sentences,
    from counts

)

select * from places
order by place
