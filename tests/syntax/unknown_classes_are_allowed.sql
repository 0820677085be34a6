-- One row per class that no person has seen: allow its reading in `allowed_classes`.
select
    project,
    native_upos,
    read_as,
    first_sentence_id,
from {{ ref('audit_unknown_classes') }}
where not is_allowed
