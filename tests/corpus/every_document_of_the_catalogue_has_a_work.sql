-- One row per document of the catalogue whose canonical work is unknown, or kept without an author.
select
    documents.project,
    documents.document_match,
    documents.decision,
    works.canonical_work,
    works.author,
from {{ ref('documents') }} as documents
left join {{ ref('work_aliases') }} as aliases
    on
        documents.project = aliases.project
        and documents.document_match = aliases.document_match
left join {{ ref('works') }} as works
    on coalesce(aliases.canonical_work, documents.document_match) = works.canonical_work
where
    works.canonical_work is null
    or (documents.decision = 'keep' and works.author is null)
