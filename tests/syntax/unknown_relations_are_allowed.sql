-- One row per label that no person has read: add it to the seed `relations`, or allow the rule in `allowed_labels`.
select
    labels.native_relation,
    labels.base,
    labels.co,
    labels.ap,
from {{ ref('int_syntax__labels') }} as labels
left join {{ ref('allowed_labels') }} as allowed_labels
    on trim(labels.native_relation) = allowed_labels.relation
where
    not labels.is_listed
    and allowed_labels.relation is null
