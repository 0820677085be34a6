{#- The lowest share of the smaller set that any rule asks for: no pair below it can be removed. -#}
{% macro candidate_min_share() -%}
    {{ [var("quotation_min_share"), var("near_duplicate_min_share")] | min }}
{%- endmacro %}
