{#- Id of a chunk: the same wherever the same sentences stand together, in this order. -#}
{% macro chunk_id(constituent_ids) -%}
    'c-' || left(sha256(array_to_string({{ constituent_ids }}, '|')), 16)
{%- endmacro %}
