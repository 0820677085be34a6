-- One row per label that no person has read: add it to the seed `relations` (for Universal Dependencies `ud_subtypes`),
-- or allow the rule in `allowed_labels`.
with

labels as (

    select
        native_relation,
        base,
    from {{ ref('int_syntax__labels') }}
    where not is_listed

    union all

    select
        native_relation,
        relation as base,
    from {{ ref('int_syntax__ud_labels') }}
    where not is_listed

)

select
    labels.native_relation,
    labels.base,
from labels
left join {{ ref('allowed_labels') }} as allowed_labels
    on {{ without_outer_blanks('labels.native_relation') }} = allowed_labels.relation
where allowed_labels.relation is null
