{#- The two whole numbers of a share written as a fraction: share_parts('1/10') gives [1, 10]. -#}
{% macro share_parts(share) -%}
    {%- set parts = (share | string).split('/') -%}
    {%- if parts | length != 2 or parts[0] | int(-1) < 0 or parts[1] | int(-1) < 1 -%}
        {{ exceptions.raise_compiler_error(
            "share_parts: a share is written as a fraction of two whole numbers such as 1/10, got '" ~ share ~ "'") }}
    {%- endif -%}
    {{ return([parts[0] | int, parts[1] | int]) }}
{%- endmacro %}
