{#- A table of a public layer has the name of its model without that of the layer: corpus_tokens is corpus.tokens. -#}
{% macro generate_alias_name(custom_alias_name=none, node=none) -%}
    {%- set layer = node.config.schema ~ '_' -%}
    {%- if custom_alias_name is not none -%} {{ custom_alias_name | trim }}
    {%- elif node.resource_type == 'model' and node.name.startswith(layer) -%} {{ node.name[layer | length:] }}
    {%- else -%} {{ node.name }}
    {%- endif -%}
{%- endmacro %}
