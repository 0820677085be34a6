{#- Columns of a group of rows with `split` and `is_remainder`: rows per split after the cut, whether they reach the
    minima, and the missing ones in words (null when none is missing). -#}
{% macro retention_columns() -%}
    count(*) as entered_rows,
    {% for split, minimum in split_minima() -%}
    {{ kept_rows(split) }} as {{ split }}_rows,
    {% endfor -%}
    {% for split, minimum in split_minima() -%}
    {{ kept_rows(split) }} >= {{ minimum }}{{ ' and' if not loop.last }}
    {% endfor -%}
    as has_minima,
    nullif(
        concat_ws(
            ', '
            {%- for split, minimum in split_minima() %},
            case
                when {{ kept_rows(split) }} < {{ minimum }}
                    then '{{ split }} ' || {{ kept_rows(split) }}
                        || ' of {{ minimum }}'
            end
            {%- endfor %}
        ),
        ''
    ) as missing_rows
{%- endmacro %}
