{#-
    A function node as its own parent sees it: function, flags and kind come from the child that replaces it, one mark
    less where it was a marked member. Elided nodes and the copula keep their own function.
-#}
{% macro nodes_as_seen(height) %}
select
    best.parent_gid as gid,
    best.role,
    best.sub.gid as sub_gid,
    best.sub.rep_gid as rep_gid,
    if(roles.keeps_function, roles.base, best.sub.base) as base,
    roles.co + case
        when roles.keeps_function then 0
        when best.role = 'coordination' and marks.has_co then greatest(best.sub.co - 1, 0)
        when best.role = 'apposition' and marks.has_co and not marks.has_ap
            then greatest(best.sub.co - 1, 0)
        else best.sub.co
    end as co,
    roles.ap + case
        when roles.keeps_function then 0
        when best.role = 'apposition' and marks.has_ap then greatest(best.sub.ap - 1, 0)
        else best.sub.ap
    end as ap,
    best.role = 'preposition'
    or (not roles.keeps_function and best.sub.has_preposition) as has_preposition,
    case
        when best.role = 'copula' then true
        when best.role = 'ellipsis' then roles.is_verb or best.has_clause_child
        else best.sub.is_clause
    end as is_clause,
    best.role = 'coordination'
    or (roles.takes_argument and best.sub.is_coordination) as is_coordination,
    best.members,
from best_{{ height }} as best
inner join roles
    on best.parent_gid = roles.gid
left join marks_{{ height }} as marks
    on best.parent_gid = marks.parent_gid
{% endmacro %}
