{#- True for the rows of a group that are cut so that a multiple of ten remains: the last ones in the `surplus` order. -#}
{% macro is_surplus(partition_by) -%}
    row_number() over (
        partition by {{ partition_by | join(', ') }}
        order by surplus_order, dedup_key
    ) > count(*) over (
        partition by {{ partition_by | join(', ') }}
    ) // {{ var('row_multiple') }} * {{ var('row_multiple') }}
{%- endmacro %}
