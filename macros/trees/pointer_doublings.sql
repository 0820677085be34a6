{% macro pointer_doublings(pointers, smallest=none) %}
{#- CTEs `<pointers>_1` .. `<pointers>_last`: after round n a pointer (gid, target_gid) leads 2^n steps up. There are
    as many rounds as it takes to pass every token of the longest sentence that a token key can hold. Pointers that
    have reached the root leave the table, so what is left at the end has a target on a cycle, and every token of
    a cycle is such a target. With `smallest`, the column of that name is carried as the least value on the way. -#}
{%- set rounds = (var('token_key_factor') - 1).bit_length() %}
{%- for round in range(1, rounds + 1) %}
{%- set previous = pointers if round == 1 else pointers ~ '_' ~ (round - 1) %}
-- one row per token with an ancestor {{ 2 ** round }} steps up
{{ pointers }}_{{ 'last' if loop.last else round }} as materialized (

    select
        lower_half.gid,
        upper_half.target_gid,
        {% if smallest -%}
            least(lower_half.{{ smallest }}, upper_half.{{ smallest }}) as {{ smallest }},
        {% endif %}
    from {{ previous }} as lower_half
    inner join {{ previous }} as upper_half
        on lower_half.target_gid = upper_half.gid

){{ ',' if not loop.last }}
{%- endfor %}
{%- endmacro %}
