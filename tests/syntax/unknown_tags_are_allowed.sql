-- One row per slip in a tag that no person has seen: allow what becomes of it in `allowed_tags`, or mend the rule.
select
    project,
    native_tag,
    tag,
    position,
    fault,
    first_sentence_id,
from {{ ref('audit_unknown_tags') }}
where not is_allowed
