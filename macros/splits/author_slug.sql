{#- The author's label as it stands in the id of a chunk: lower case, blanks to hyphens. -#}
{% macro author_slug(author) -%}
    replace(lower({{ author }}), ' ', '-')
{%- endmacro %}
