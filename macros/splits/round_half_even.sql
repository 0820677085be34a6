{#- round(share * rows), halves to the even number, in whole numbers only: no product of a binary fraction decides. -#}
{% macro round_half_even(share, rows) -%}
    {%- set top, bottom = share_parts(share) -%}
    (
        ({{ top }} * {{ rows }}) // {{ bottom }}
        + case
            when 2 * (({{ top }} * {{ rows }}) % {{ bottom }}) > {{ bottom }} then 1
            when 2 * (({{ top }} * {{ rows }}) % {{ bottom }}) = {{ bottom }}
                then (({{ top }} * {{ rows }}) // {{ bottom }}) % 2
            else 0
        end
    )
{%- endmacro %}
