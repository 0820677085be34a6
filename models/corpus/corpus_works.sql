with

works as (

    select * from {{ ref('works') }}

),

documents as (

    select * from {{ ref('corpus_documents') }}

),

-- one row per canonical work in the input
counted as (

    select
        canonical_work,
        list_sort(list(distinct project)) as projects,
        list_sort(list(distinct decision)) as decisions,
        count(*)::integer as documents,
        sum(sentences)::integer as sentences,
        sum(published_sentences)::integer as published_sentences,
    from documents
    group by canonical_work

),

corpus_works as (

    select
        counted.canonical_work,
        works.author,
        works.title,
        works.genre,
        counted.projects,
        counted.decisions,
        counted.documents,
        counted.sentences,
        counted.published_sentences,
    from counted
    left join works
        on counted.canonical_work = works.canonical_work

)

select * from corpus_works
order by canonical_work
