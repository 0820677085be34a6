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
