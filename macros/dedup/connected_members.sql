{#-
    CTEs that find what hangs together by pairs, all steps at once; for a `with recursive`. The result is `connected`: one
    row per member of a pair, with the least member that a chain of pairs leads to, itself included.

    `using key` keeps one row per member, so that a long chain costs no more than its pairs (engine:duckdb).
-#}
{% macro connected_members(pairs, left_column, right_column) %}
-- one row per member of a pair and member it is paired with
sides as (

    select
        {{ left_column }} as member,
        {{ right_column }} as partner,
    from {{ pairs }}

    union all

    select
        {{ right_column }} as member,
        {{ left_column }} as partner,
    from {{ pairs }}

),

-- one row per member of a pair: the least member that a chain of pairs leads to
connected (member, first_member) using key (member) as (

    select
        member,
        min(least(member, partner)) as first_member,
    from sides
    group by member

    union

    select
        sides.member,
        min(connected.first_member) as first_member,
    from connected
    inner join sides on connected.member = sides.partner
    inner join recurring.connected as known on sides.member = known.member
    where connected.first_member < known.first_member
    group by sides.member

)
{%- endmacro %}
