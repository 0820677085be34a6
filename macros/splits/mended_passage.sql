{#-
    A passage with the numbers that a spreadsheet has spoilt written as short as they were: `1,1299999999999999` is `1,13`.
    A number with ten to eighteen digits behind its comma or point becomes the one with the fewest digits (four at most)
    that is not further away than a thousand millionth; where there is none, the passage is null. Both ends of a range
    are mended; everything else stays as it is.
-#}
{% macro mended_passage(passage) -%}
    {%- set number = "try_cast(replace(part, ',', '.') as decimal(38, 18))" -%}
    case
        when not regexp_matches({{ passage }}, '[.,][0-9]{10}') then {{ passage }}
        else nullif(
            regexp_replace(
                array_to_string(
                    list_transform(
                        string_split({{ passage }}, '-'),
                        lambda part: case
                            when not regexp_matches(part, '[.,][0-9]{10}') then part
                            {% for digits in range(5) -%}
                                when abs({{ number }} - round({{ number }}, {{ digits }})) <= 0.000000001
                                    then replace(
                                        ({{ number }})::decimal(38, {{ digits }})::varchar,
                                        '.',
                                        regexp_extract(part, '[.,]')
                                    )
                            {% endfor -%}
                            else '?'
                        end
                    ),
                    '-'
                ),
                '^.*[?].*$',
                '',
                'g'
            ),
            ''
        )
    end
{%- endmacro %}
