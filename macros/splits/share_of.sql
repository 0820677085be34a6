{#- A share as a decimal number, for showing; choices are made by distance_to_share and exceeds_share. -#}
{% macro share_of(share) -%}
    {%- set top, bottom = share_parts(share) -%}
    ({{ top }} / {{ bottom }})
{%- endmacro %}
