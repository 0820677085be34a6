{#- The rows of a split that are left after the cut, in a group of rows with `split` and `is_remainder`. -#}
{% macro kept_rows(split) -%}
    count(*) filter (where split = '{{ split }}' and not is_remainder)
{%- endmacro %}
