-- One row per full relation whose relation without subtype is not one of Universal Dependencies.
select full_annotation.relation
from {{ ref('int_syntax__full_annotation') }} as full_annotation
left join {{ ref('ud_relations') }} as ud_relations
    on split_part(full_annotation.relation, ':', 1) = ud_relations.relation
where ud_relations.relation is null
group by full_annotation.relation
