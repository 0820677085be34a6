{#-
    A word or needle as a reader looks for it: accents, breathings and iota subscript off, lower case, final sigma folded,
    signs of elision off. What is folded already stays as it is. The scalar macro `fold` of the database is made of this.
-#}
{% macro fold(word) -%}
translate(strip_accents(lower({{ word }})), 'ς''’ʼ᾽', 'σ')
{%- endmacro %}
