-- One row per kept document under a pseudonymous or corporate label that retained_pseudonymous_authors does not name.
select
    documents.project,
    documents.document_match,
    authors.author,
    authors.kind,
from {{ ref('documents') }} as documents
left join {{ ref('work_aliases') }} as aliases
    on
        documents.project = aliases.project
        and documents.document_match = aliases.document_match
inner join {{ ref('works') }} as works
    on coalesce(aliases.canonical_work, documents.document_match) = works.canonical_work
inner join {{ ref('authors') }} as authors
    on works.author = authors.author
left join {{ ref('retained_pseudonymous_authors') }} as retained
    on authors.author = retained.author
where
    documents.decision = 'keep'
    and authors.kind in ('pseudonymous', 'corporate')
    and retained.author is null
