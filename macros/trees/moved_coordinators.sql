{#-
    CTEs that move coordinators to the conjunct they introduce (R14), all at once. Reads the CTE `trees` (gid, head_gid,
    relation; gids of a sentence in the order of the text); the result is `moved`: one row per coordinator.

    A tree stays a tree: a coordinator moves to its head, to the head of that, or to a conjunct beside it or above it, never
    deeper; what is beside it is a conjunct, and conjuncts do not move.
-#}
{% macro moved_coordinators() %}
-- one row per coordinator
coordinators as (

    select
        gid,
        head_gid,
    from trees
    where split_part(relation, ':', 1) = 'cc'

),

-- one row per conjunct and first conjunct
conjuncts as (

    select
        gid,
        head_gid,
    from trees
    where split_part(relation, ':', 1) = 'conj'

),

-- one row per token with conjuncts
first_conjuncts as (

    select distinct head_gid as gid
    from conjuncts

),

-- one row per first conjunct and member of its group, itself included
members as (

    select
        head_gid as first_gid,
        gid,
    from conjuncts

    union all

    select
        gid as first_gid,
        gid,
    from first_conjuncts

),

-- one row per coordinator: the group it belongs to, null where nothing is coordinated
belongings as (

    select
        coordinators.gid,
        coordinators.head_gid,
        coalesce(first_conjuncts.gid, conjuncts.head_gid) as first_gid,
    from coordinators
    left join first_conjuncts
        on coordinators.head_gid = first_conjuncts.gid
    left join conjuncts
        on coordinators.head_gid = conjuncts.gid

),

-- one row per group: its last member
last_members as (

    select
        first_gid,
        max(gid) as gid,
    from members
    group by first_gid

),

-- one row per coordinator: the member that follows it, or the last, or its old head
moved as (

    select
        belongings.gid,
        coalesce(following.gid, last_members.gid, belongings.head_gid) as head_gid,
        belongings.first_gid is not null as is_coordinator,
    from belongings
    asof left join members as following
        on
            belongings.first_gid = following.first_gid
            and belongings.gid < following.gid
    left join last_members
        on belongings.first_gid = last_members.first_gid

)
{%- endmacro %}
