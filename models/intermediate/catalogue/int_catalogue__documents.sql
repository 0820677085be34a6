-- depends_on: {{ ref('int_catalogue__checked_input') }}
with

documents as (

    select * from {{ ref('int_catalogue__named_documents') }}

),

-- one row per document of the input; int_catalogue__checked_input has made sure that each has a decision and a work
catalogue_documents as (

    select
        project,
        document_match,
        sentences,
        author,
        work,
        document_title,
        regexp_replace(document_match, '\.xml$', '', 'g') as work_id,
        canonical_work,
        genre,
        decision,
        decision_reason,
    from documents
    where sentences > 0

)

select * from catalogue_documents
