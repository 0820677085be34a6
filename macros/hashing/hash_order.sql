{#- The key of a pseudo-random order that anyone can repeat: sha256 of seed, purpose and dedup key, as hex text.
    Order by it and then by the key itself, so that the order is total. -#}
{% macro hash_order(seed, purpose, key) -%}
    {%- set purposes = ['split', 'surplus', 'held_out_split'] -%}
    {%- if purpose not in purposes -%}
        {{ exceptions.raise_compiler_error(
            "hash_order: purpose must be one of " ~ purposes ~ ", got '" ~ purpose ~ "'") }}
    {%- endif -%}
    sha256('{{ seed }}|{{ purpose }}|' || {{ key }})
{%- endmacro %}
