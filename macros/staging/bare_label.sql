{#- A label without blanks and invisible signs around it: as the seed of labels has it. -#}
{% macro bare_label(column) -%}
regexp_replace({{ column }}, '^[\s\p{Z}\p{C}]+|[\s\p{Z}\p{C}]+$', '', 'g')
{%- endmacro %}
