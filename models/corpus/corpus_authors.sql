with

authors as (

    select * from {{ ref('authors') }}

),

fates as (

    select * from {{ ref('corpus_sentence_fates') }}

),

-- one row per author with sentences in the input
counted as (

    select
        author,
        list_sort(list(distinct project)) as projects,
        count(distinct canonical_work)::integer as works,
        count(*)::integer as sentences,
        sum((fate = 'published')::integer)::integer as published_sentences,
    from fates
    where author is not null
    group by author

),

corpus_authors as (

    select
        counted.author,
        authors.kind,
        authors.reason,
        counted.projects,
        counted.works,
        counted.sentences,
        counted.published_sentences,
        counted.published_sentences > 0 as is_retained,
    from counted
    left join authors
        on counted.author = authors.author

)

select * from corpus_authors
order by author
