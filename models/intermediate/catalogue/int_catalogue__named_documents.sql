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

-- one row per document of the input, or of the catalogue, with its decision and the work that it stands for
final as (

    select
        coalesce(found.project, decisions.project) as project,
        coalesce(found.document_match, decisions.document_match) as document_match,
        coalesce(aliases.canonical_work, found.document_match, decisions.document_match) as canonical_work,
        aliases.canonical_work is not null as has_alias,
        decisions.document_match is not null as is_decided,
        decisions.decision,
    from (
        select distinct
            project,
            document_match
        from sentence_documents
        where document_match <> ''
    ) as found
    full outer join decisions
        on
            found.project = decisions.project
            and found.document_match = decisions.document_match
    left join aliases
        on
            coalesce(found.project, decisions.project) = aliases.project
            and coalesce(found.document_match, decisions.document_match) = aliases.document_match

)

select * from final
