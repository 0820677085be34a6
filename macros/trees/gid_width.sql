{% macro gid_width() %}
{#- Tokens per sentence number in a gid: gid = sentence_number * width + source_index. -#}
2048
{%- endmacro %}
