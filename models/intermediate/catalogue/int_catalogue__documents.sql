-- depends_on: {{ ref('int_catalogue__checked_input') }}
with

sentence_documents as (

    select * from {{ ref('int_catalogue__sentence_documents') }}

),

decisions as (

    select * from {{ ref('documents') }}

),

aliases as (

    select * from {{ ref('work_aliases') }}

),

works as (

    select * from {{ ref('works') }}

),

-- one row per document of the input
found as (

    select
        project,
        document_match,
        count(*) as sentences,
    from sentence_documents
    group by all

),

-- one row per document of the input with its decision; int_catalogue__checked_input has made sure that there is one
decided as (

    select
        found.project,
        found.document_match,
        found.sentences,
        decisions.title as work,
        regexp_replace(found.document_match, '\.xml$', '') as work_id,
        coalesce(aliases.canonical_work, found.document_match) as canonical_work,
        decisions.decision,
        decisions.reason as decision_reason,
    from found
    left join decisions
        on
            found.project = decisions.project
            and found.document_match = decisions.document_match
    left join aliases
        on
            found.project = aliases.project
            and found.document_match = aliases.document_match

),

-- one row per document of the input with author and genre of its work
final as (

    select
        decided.project,
        decided.document_match,
        decided.sentences,
        works.author,
        decided.work,
        decided.work_id,
        decided.canonical_work,
        works.genre,
        decided.decision,
        decided.decision_reason,
    from decided
    left join works
        on decided.canonical_work = works.canonical_work

)

select * from final
