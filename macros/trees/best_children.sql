{#- The child of the lowest rank, the leftmost word deciding, and the members of coordinations and appositions. -#}
{% macro best_children(height) %}
select
    parent_gid,
    parent_role as role,
    arg_min(
        struct_pack(
            gid := gid,
            rep_gid := rep_gid,
            base := base,
            co := co,
            ap := ap,
            has_preposition := has_preposition,
            is_clause := is_clause,
            is_coordination := is_coordination
        ),
        rank * {{ gid_span() }} + rep_gid
    ) filter (where rank is not null) as sub,
    list(gid order by rep_gid) filter (
        where rank is not null and has_members
    ) as members,
    bool_or(makes_clause) as has_clause_child,
from ranked_{{ height }}
group by parent_gid, parent_role
having bool_or(rank is not null)
{% endmacro %}
