{% macro gid_span() %}
{#- A number above every gid: rank * span + gid orders by rank first, then by place in the text. -#}
1099511627776
{%- endmacro %}
