{% macro choose_substitutes(height) %}
{#- One pass of R5-R7: CTEs for the function nodes of one height. It reads `candidates`, `roles`,
    `label_bases` and the outcome of the lower passes (`chosen_<n>`); the last CTE, `chosen_<height>`,
    has one row per function node of this height for which a child could be chosen. -#}
{%- set n = height %}
-- one row per child of a function node of height {{ n }}, as its parent sees it
children_{{ n }} as materialized (

    select
        candidates.parent_gid,
        candidates.parent_role,
        candidates.gid,
        candidates.pos,
        candidates.is_light,
        candidates.is_verb,
        candidates.role,
        lower_nodes.gid is not null as is_resolved,
        lower_nodes.gid is not null or candidates.stands_alone as is_candidate,
        coalesce(lower_nodes.rep_gid, candidates.gid) as rep_gid,
        coalesce(lower_nodes.base, candidates.base) as base,
        coalesce(lower_nodes.co, candidates.co) as co,
        coalesce(lower_nodes.ap, candidates.ap) as ap,
        coalesce(lower_nodes.has_preposition, false) as has_preposition,
        coalesce(lower_nodes.is_clause, candidates.is_verb) as is_clause,
        coalesce(lower_nodes.is_coordination, false) as is_coordination
    from candidates
    left join (
        {%- if n == 1 %}
        select * from nothing_chosen
        {%- else %}
        {%- for lower in range(1, n) %}
        select * from chosen_{{ lower }}
        {{- ' union all' if not loop.last }}
        {%- endfor %}
        {%- endif %}
    ) as lower_nodes
        on candidates.gid = lower_nodes.gid
    where candidates.parent_height = {{ n }}

),

-- one row per coordination or apposition of height {{ n }}: how its members are marked
markings_{{ n }} as (

    select
        children.parent_gid,
        bool_or(children.co > 0) as has_co,
        bool_or(children.ap > 0) as has_ap,
        bool_or(children.co = 0 and children.is_coordination) as has_nested,
        list(distinct children.base) filter (where children.co > 0) as co_bases,
        arg_min(children.base, children.rep_gid) filter (
            where label_bases.node_class is distinct from 'leaf'
        ) as first_base
    from children_{{ n }} as children
    left join label_bases
        on children.base = label_bases.base
    where
        children.is_candidate
        and children.parent_role in ('coordination', 'apposition')
    group by children.parent_gid

),

-- one row per candidate of height {{ n }}: its rank, null when it cannot be chosen
ranked_{{ n }} as (

    select
        children.*,
        case
            when not children.is_candidate then null
            when children.parent_role in ('preposition', 'subordinator')
                then
                    case
                        when
                            label_bases.node_class is distinct from 'leaf'
                            and children.base <> 'XSEG'
                            then 0
                        when
                            label_bases.node_class = 'leaf'
                            and children.pos in ('n', 'v', 'a', 'p', 'm')
                            then 4
                    end
                    + case
                        when children.parent_role = 'preposition'
                            then if(children.is_light and not children.is_resolved, 2, 0)
                        when children.is_verb then 0
                        when
                            children.is_resolved
                            and children.role in ('ellipsis', 'coordination', 'subordinator')
                            then 0
                        else 2
                    end
                    + if(children.rep_gid > children.parent_gid, 0, 1)
            when children.parent_role = 'coordination'
                then
                    case
                        when children.co > 0 then 0
                        when
                            children.is_coordination
                            and (
                                not markings.has_co
                                or list_contains(markings.co_bases, children.base)
                            )
                            then 0
                        when
                            not markings.has_co
                            and not markings.has_nested
                            and label_bases.node_class is distinct from 'leaf'
                            and children.base = markings.first_base
                            then 0
                    end
            when children.parent_role = 'apposition'
                then
                    case
                        when markings.has_ap then if(children.ap > 0, 0, null)
                        when markings.has_co then if(children.co > 0, 0, null)
                        when
                            label_bases.node_class is distinct from 'leaf'
                            and children.base = markings.first_base
                            then 0
                    end
            when children.parent_role = 'ellipsis' then coalesce(label_bases.ellipsis_rank, 8)
            when children.base = 'PNOM' then 0
        end as rank
    from children_{{ n }} as children
    left join markings_{{ n }} as markings
        on children.parent_gid = markings.parent_gid
    left join label_bases
        on children.base = label_bases.base

),

-- one row per function node of height {{ n }}: the child that replaces it
best_{{ n }} as (

    select
        parent_gid,
        any_value(parent_role) as role,
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
            where rank is not null and parent_role in ('coordination', 'apposition')
        ) as members,
        bool_or(base in ('SBJ', 'PNOM', 'PRED')) as has_clause_child
    from ranked_{{ n }}
    group by parent_gid
    having bool_or(rank is not null)

),

-- one row per function node of height {{ n }} with a replacement, as its own parent will see it
chosen_{{ n }} as materialized (

    select
        best.parent_gid as gid,
        best.role,
        best.sub.gid as sub_gid,
        best.sub.rep_gid as rep_gid,
        if(best.role in ('ellipsis', 'copula'), roles.base, best.sub.base) as base,
        roles.co + case
            when best.role in ('ellipsis', 'copula') then 0
            when best.role = 'coordination' and markings.has_co then greatest(best.sub.co - 1, 0)
            when best.role = 'apposition' and markings.has_co and not markings.has_ap
                then greatest(best.sub.co - 1, 0)
            else best.sub.co
        end as co,
        roles.ap + case
            when best.role in ('ellipsis', 'copula') then 0
            when best.role = 'apposition' and markings.has_ap then greatest(best.sub.ap - 1, 0)
            else best.sub.ap
        end as ap,
        case
            when best.role = 'preposition' then true
            when best.role in ('ellipsis', 'copula') then false
            else best.sub.has_preposition
        end as has_preposition,
        case
            when best.role = 'copula' then true
            when best.role = 'ellipsis' then roles.is_verb or best.has_clause_child
            else best.sub.is_clause
        end as is_clause,
        case
            when best.role = 'coordination' then true
            when best.role in ('preposition', 'subordinator') then best.sub.is_coordination
            else false
        end as is_coordination,
        best.members
    from best_{{ n }} as best
    inner join roles
        on best.parent_gid = roles.gid
    left join markings_{{ n }} as markings
        on best.parent_gid = markings.parent_gid

)
{%- endmacro %}
