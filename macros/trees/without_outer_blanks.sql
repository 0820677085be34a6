{#- A text without blanks and invisible signs before and after it: ` OBJ` -> `OBJ`. What stands inside stays. -#}
{% macro without_outer_blanks(text) -%}
regexp_replace({{ text }}, '^[\s\p{Z}\p{Cf}]+|[\s\p{Z}\p{Cf}]+$', '', 'g')
{%- endmacro %}
