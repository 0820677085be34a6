{#-
    A text key whose plain order is the natural order: numbers as numbers, other characters by code point.
    `1 20-39` comes before `1 100-119`. Numbers are padded to twelve digits; order by the name itself after
    this key, because `01` and `1` have the same key.
-#}
{% macro natural_order(column) -%}
array_to_string(
    list_transform(
        regexp_extract_all({{ column }}, '\d+|\D+'),
        lambda part: case when regexp_matches(part, '^\d') then lpad(part, 12, '0') else part end
    ),
    ''
)
{%- endmacro %}
