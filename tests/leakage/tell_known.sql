-- tell-known: a value, label or lemma that says much about the project, author and form being known, has a row with a
-- reason in `fingerprint_exceptions`.
select
    layer,
    value,
    project,
    words,
    bits_per_word,
    forms,
from {{ ref('audit_project_tells') }}
where
    is_tell
    and reason is null
