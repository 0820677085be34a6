{#- The rank of each child for its parent's role; the lowest rank, then the leftmost word, is chosen. -#}
{% macro ranks_of_children(height) %}
select
    children.*,
    case
        when not children.is_candidate then null
        when children.takes_argument then {{ rank_of_argument() }}
        when children.parent_role = 'coordination' then {{ rank_of_conjunct() }}
        when children.parent_role = 'apposition' then {{ rank_of_appositive() }}
        when children.parent_role = 'ellipsis' then children.ellipsis_rank
        when children.is_predicate_nominal then 0
    end as rank,
from children_{{ height }} as children
left join marks_{{ height }} as marks
    on children.parent_gid = marks.parent_gid
{% endmacro %}
