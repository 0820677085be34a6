-- One row per value that one project alone has, by no chance and without a reason: map it, or give the reason in
-- `fingerprint_exceptions`.
select
    layer,
    value,
    project,
    occurrences,
    probability,
from {{ ref('audit_project_fingerprints') }}
where
    not is_known
    and not is_chance
