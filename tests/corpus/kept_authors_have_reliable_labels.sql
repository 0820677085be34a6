-- One row per kept document under a pseudonymous or corporate label that retained_pseudonymous_authors does not name.
select
    documents.project,
    documents.document_match,
    authors.author,
    authors.kind,
from {{ ref('int_catalogue__named_documents') }} as documents
inner join {{ ref('authors') }} as authors
    on documents.author = authors.author
left join {{ ref('retained_pseudonymous_authors') }} as retained
    on authors.author = retained.author
where
    documents.decision = 'keep'
    and authors.kind in ('pseudonymous', 'corporate')
    and retained.author is null
