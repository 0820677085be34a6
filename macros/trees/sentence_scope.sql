{#-
    How far a question reaches that counts a sentence of this fate: 1 published sentences only, 2 all that are no duplicate,
    3 every sentence read.
-#}
{% macro sentence_scope(fate) -%}
case
    when {{ fate }} = 'published' then 1
    when {{ fate }} in ('exact_duplicate', 'near_duplicate', 'quotation', 'fragment') then 3
    else 2
end
{%- endmacro %}
