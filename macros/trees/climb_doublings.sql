{% macro climb_doublings(steps, topmost=none) %}
{#- CTEs `<steps>_1` .. `<steps>_last`: where a climb ends that begins on a row of `steps` (gid, head_gid) and goes on
    while there is a row for the head. In every round a step takes the way of the step it leads to, so that the climb
    is twice as long; after the last one it has ended, however long the sentence is. With `topmost`, the last value
    above 0 that the column of that name has on the way is carried too. The steps form no cycle. -#}
{%- set rounds = (var('token_key_factor') - 1).bit_length() %}
{%- for round in range(1, rounds + 1) %}
{%- set previous = steps if round == 1 else steps ~ '_' ~ (round - 1) %}
-- one row per step: where the climb stands after {{ 2 ** round }} steps, or has ended
{{ steps }}_{{ 'last' if loop.last else round }} as materialized (

    select
        lower_half.gid,
        coalesce(upper_half.head_gid, lower_half.head_gid) as head_gid,
        {% if topmost -%}
            coalesce(nullif(upper_half.{{ topmost }}, 0), lower_half.{{ topmost }}) as {{ topmost }},
        {% endif %}
    from {{ previous }} as lower_half
    left join {{ previous }} as upper_half
        on lower_half.head_gid = upper_half.gid

){{ ',' if not loop.last }}
{%- endfor %}
{%- endmacro %}
