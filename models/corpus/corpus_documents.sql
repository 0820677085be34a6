with

documents as (

    select * from {{ ref('int_catalogue__documents') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

fates as (

    select * from {{ ref('corpus_sentence_fates') }}

),

-- one row per document of the input: what became of its sentences
counted as (

    select
        sentences.project,
        sentences.document_match,
        list_sort(list(distinct sentences.path)) as paths,
        count(*)::integer as sentences,
        sum((fates.fate = 'published')::integer)::integer as published_sentences,
    from sentences
    inner join fates
        on sentences.sentence_id = fates.sentence_id
    group by sentences.project, sentences.document_match

),

corpus_documents as (

    select
        documents.project,
        documents.document_match,
        counted.paths,
        documents.author,
        documents.work,
        documents.document_title,
        documents.work_id,
        documents.canonical_work,
        documents.genre,
        documents.decision,
        documents.decision_reason as reason,
        counted.sentences,
        counted.published_sentences,
    from documents
    inner join counted
        on
            documents.project = counted.project
            and documents.document_match = counted.document_match

)

select * from corpus_documents
order by project, document_match
