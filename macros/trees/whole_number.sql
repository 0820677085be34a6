{#-
    A whole number of any length as its digits, or null: `2`, `007` and `2.0` give `2`, `7` and `2`; `00` gives `0`.
    Digits are compared, not integers, because ids may have more of them than an integer holds.
-#}
{% macro whole_number(column) -%}
case
    when regexp_full_match(trim({{ column }}), '[0-9]+(?:[.,]0*)?')
        then regexp_extract(trim({{ column }}), '^0*([0-9]+?)(?:[.,]0*)?$', 1)
end
{%- endmacro %}
