-- One row per feature that is not read and that no person has seen: allow it in `allowed_features`, or give it a row in
-- `ud_features` and `feats_to_tag`.
select
    project,
    feature,
    fault,
    first_sentence_id,
from {{ ref('audit_unknown_features') }}
where not is_allowed
