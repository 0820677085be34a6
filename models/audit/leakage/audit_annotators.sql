with

configuration_rows as (

    select * from {{ ref('hub_rows') }}
    where chunk_target_size = 1

),

sentences as (

    select * from {{ ref('hub_sentences') }}

),

catalogue as (

    select * from {{ ref('int_catalogue__sentences') }}

),

-- one row per row of a track; what is published of a sentence is the tree of its own record
annotated as (

    select
        configuration_rows.track,
        configuration_rows.author,
        configuration_rows.split,
        sentences.canonical_work,
        catalogue.project,
        coalesce(catalogue.annotators, []) as annotators,
    from configuration_rows
    inner join sentences on configuration_rows.id = sentences.id
    inner join catalogue on sentences.sentence_number = catalogue.sentence_number

),

-- one row per track, author and split
annotators as (

    select
        track,
        author,
        split,
        count(*)::bigint as sentences,
        list_sort(list(distinct canonical_work)) as works,
        list_sort(list(distinct project)) as projects,
        list_sort(list_distinct(flatten(list(annotators)))) as annotators,
        count(*) filter (where len(annotators) = 0)::bigint as unnamed,
    from annotated
    group by track, author, split

)

select * from annotators
order by track, author, split
