{#- Whether a position stands in the subtree of a node; `nodes` is the table of the upper one. -#}
{% macro stands_under(nodes, position) -%}
{{ position }} between {{ nodes }}.subtree_first and {{ nodes }}.subtree_last
        and ({{ nodes }}.subtree_gaps is null or not list_contains({{ nodes }}.subtree_gaps, {{ position }}))
{%- endmacro %}
