{#- What the children of each coordination and apposition carry, which decides what its members are. -#}
{% macro marks_of_members(height) %}
select
    parent_gid,
    bool_or(co > 0) as has_co,
    bool_or(ap > 0) as has_ap,
    bool_or(co = 0 and is_coordination) as has_nested,
    list_sort(list(distinct base) filter (where co > 0)) as co_bases,
    arg_min(base, rep_gid) filter (where not is_leaf) as first_base,
from children_{{ height }}
where
    is_candidate
    and has_members
group by parent_gid
{% endmacro %}
