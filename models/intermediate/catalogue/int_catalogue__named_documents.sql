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

-- one row per document that a sentence of the input names
found as (

    select
        project,
        document_match,
        count(*) as sentences,
    from sentence_documents
    where document_match <> ''
    group by project, document_match

),

-- one row per document of the input, or of the catalogue, with its decision
decided as (

    select
        coalesce(found.project, decisions.project) as project,
        coalesce(found.document_match, decisions.document_match) as document_match,
        coalesce(found.sentences, 0) as sentences,
        decisions.document_match is not null as is_decided,
        decisions.title as document_title,
        decisions.decision,
        decisions.reason as decision_reason,
    from found
    full outer join decisions
        on
            found.project = decisions.project
            and found.document_match = decisions.document_match

),

-- one row per document with the identifier of the work that it stands for
identified as (

    select
        decided.*,
        coalesce(aliases.canonical_work, decided.document_match) as canonical_work,
        aliases.canonical_work is not null as has_alias,
    from decided
    left join aliases
        on
            decided.project = aliases.project
            and decided.document_match = aliases.document_match

),

-- one row per document with author and genre of its work
named_documents as (

    select
        identified.project,
        identified.document_match,
        identified.sentences,
        identified.canonical_work,
        identified.has_alias,
        identified.is_decided,
        identified.document_title,
        identified.decision,
        identified.decision_reason,
        works.canonical_work is not null as has_work,
        works.title as work,
        works.author,
        works.genre,
    from identified
    left join works
        on identified.canonical_work = works.canonical_work

)

select * from named_documents
