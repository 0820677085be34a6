{#- A counted pair reaches the near-duplicate rule, whatever the authors and projects are. -#}
{% macro is_near_duplicate(pairs) -%}
    {{ pairs }}.shared >= {{ var("near_duplicate_min_shared") }}
    and {{ pairs }}.shared
    >= {{ var("near_duplicate_min_share") }} * least({{ pairs }}.left_size, {{ pairs }}.right_size)
{%- endmacro %}
