{#- rows > share * total, in whole numbers. -#}
{% macro exceeds_share(share, rows, total) -%}
    {%- set top, bottom = share_parts(share) -%}
    {{ bottom }} * {{ rows }} > {{ top }} * {{ total }}
{%- endmacro %}
