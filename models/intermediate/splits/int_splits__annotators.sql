with

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where not is_remainder

),

catalogue as (

    select * from {{ ref('int_catalogue__sentences') }}

),

-- one row per track and published sentence; what is published of a sentence is the tree of its own record
annotated as (

    select
        assignments.track,
        assignments.author,
        assignments.split,
        assignments.canonical_work,
        catalogue.project,
        coalesce(catalogue.annotators, []) as annotators,
    from assignments
    inner join catalogue on assignments.sentence_number = catalogue.sentence_number

),

-- one row per track, author and split
split_annotators as (

    select
        track,
        author,
        split,
        count(*)::bigint as sentences,
        list_sort(list(distinct canonical_work)) as works,
        list_sort(list(distinct project)) as projects,
        list_sort(list_distinct(flatten(list(annotators)))) as annotators,
        count(*) filter (where array_length(annotators) = 0)::bigint as unnamed,
    from annotated
    group by track, author, split

)

select * from split_annotators
order by track, author, split
