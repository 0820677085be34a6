{% test filled(model, columns) %}
-- one row per row with a null in a column that must not have one
select {{ columns | join(', ') }},
from {{ model }}
where
    {%- for column in columns %}
        {{ 'or ' if not loop.first }}{{ column }} is null
    {%- endfor %}
{% endtest %}
