{#- Author, work and passage as a reader cites them; what is unknown is left out. -#}
{% macro cited(author, work, passage) -%}
concat_ws(', ', {{ author }}, {{ work }}, {{ passage }})
{%- endmacro %}
