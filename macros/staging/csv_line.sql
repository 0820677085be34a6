{#- The known fields of a line of CSV, quoted where they must be, and the commas of so many empty ones. -#}
{% macro csv_line(columns, empty) -%}
concat(
    {%- for column in columns %}
    {%- if not loop.first %} ',', {% endif %}
    if(
        regexp_matches({{ column }}, '[",\n\r]|^\s|\s$'),
        '"' || replace({{ column }}, '"', '""') || '"',
        {{ column }}
    ),
    {%- endfor %}
    '{{ ',' * empty }}'
)
{%- endmacro %}

{#- A label without blanks and invisible signs around it: as the seed of labels has it. -#}
{% macro bare_label(column) -%}
regexp_replace({{ column }}, '^[\s\p{Z}\p{C}]+|[\s\p{Z}\p{C}]+$', '', 'g')
{%- endmacro %}
