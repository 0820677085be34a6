-- One row per document of the catalogue whose canonical work is unknown, or kept without an author.
select
    project,
    document_match,
    decision,
    canonical_work,
    author,
from {{ ref('int_catalogue__named_documents') }}
where
    is_decided
    and (not has_work or (decision = 'keep' and author is null))
