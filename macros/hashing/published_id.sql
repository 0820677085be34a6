{#- Id of a published sentence: stable as long as its letters are. -#}
{% macro published_id(dedup_key) -%}
    's-' || left({{ dedup_key }}, 16)
{%- endmacro %}
