{#- How far `rows` is from share * total, times the denominator, so that it is a whole number: only for comparing. -#}
{% macro distance_to_share(share, rows, total) -%}
    {%- set top, bottom = share_parts(share) -%}
    abs({{ bottom }} * {{ rows }} - {{ top }} * {{ total }})
{%- endmacro %}
