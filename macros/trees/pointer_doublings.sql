{% macro pointer_doublings(pointers, rounds) %}
{#- CTEs `<pointers>_1` .. `<pointers>_<rounds>`: after round n a pointer (gid, target_gid) leads
    2^n steps up. Pointers that have reached the root leave the table, so what is left after eight
    rounds stands on a cycle, leads into one, or is deeper than 256 tokens. -#}
{%- for round in range(1, rounds + 1) %}
{%- set previous = pointers if round == 1 else pointers ~ '_' ~ (round - 1) %}
-- one row per token with an ancestor {{ 2 ** round }} steps up
{{ pointers }}_{{ round }} as materialized (

    select
        lower_half.gid,
        upper_half.target_gid
    from {{ previous }} as lower_half
    inner join {{ previous }} as upper_half
        on lower_half.target_gid = upper_half.gid

){{ ',' if not loop.last }}
{%- endfor %}
{%- endmacro %}
