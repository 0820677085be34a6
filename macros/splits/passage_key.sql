{#- Where a passage begins, as a list of whole numbers that compares as the text runs, or null.
    Read: numbers joined by points, each with at most one letter (12, 1.20.3, 17a, 2.1274b), alone or as the start of a
    range. 1.20-1.39 gives the key of 1.20; a letter comes after the bare number: 233 < 233a < 234. -#}
{% macro passage_key(passage) -%}
    {%- set level = '[0-9]{1,9}[a-z]?' -%}
    {%- set point = level ~ '(?:[.]' ~ level ~ ')*' -%}
    list_transform(
        string_split(
            nullif(
                regexp_extract(
                    lower(trim({{ passage }})),
                    '^(' || '{{ point }}' || ')(?:[ ]*[-–][ ]*{{ point }})?$',
                    1
                ),
                ''
            ),
            '.'
        ),
        lambda level: regexp_extract(level, '^[0-9]+')::bigint * 27
        + case
            when regexp_matches(level, '[a-z]$') then ascii(right(level, 1)) - 96
            else 0
        end
    )
{%- endmacro %}
