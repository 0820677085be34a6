{#-
    The children of the function nodes of one height. A child for which a word has been chosen in a lower pass shows
    function, flags and kind of that word; any other child shows its own.
-#}
{% macro children_as_seen(height) %}
select
    candidates.parent_gid,
    candidates.parent_role,
    candidates.has_members,
    candidates.takes_argument,
    candidates.gid,
    candidates.stands_for_clause,
    candidates.is_verb,
    candidates.is_light,
    candidates.is_argument,
    lower_nodes.gid is not null as is_resolved,
    lower_nodes.gid is not null or candidates.stands_alone as is_candidate,
    coalesce(lower_nodes.rep_gid, candidates.gid) as rep_gid,
    coalesce(lower_nodes.base, candidates.base) as base,
    coalesce(label_bases.node_class, 'word') = 'leaf' as is_leaf,
    coalesce(label_bases.is_segment, false) as is_segment,
    coalesce(label_bases.is_predicate_nominal, false) as is_predicate_nominal,
    coalesce(label_bases.makes_clause, false) as makes_clause,
    coalesce(label_bases.ellipsis_rank, 8) as ellipsis_rank,
    coalesce(lower_nodes.co, candidates.co) as co,
    coalesce(lower_nodes.ap, candidates.ap) as ap,
    coalesce(lower_nodes.has_preposition, false) as has_preposition,
    coalesce(lower_nodes.is_clause, candidates.is_verb) as is_clause,
    coalesce(lower_nodes.is_coordination, false) as is_coordination,
from candidates
left join (
    {% for lower in range(height) -%}
        select * from chosen_{{ lower }}
        {{ 'union all' if not loop.last }}
    {% endfor %}
) as lower_nodes
    on candidates.gid = lower_nodes.gid
left join label_bases
    on coalesce(lower_nodes.base, candidates.base) = label_bases.base
where candidates.parent_height = {{ height }}
{% endmacro %}
