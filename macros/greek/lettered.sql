{#-
    The letters of every value with what stands on and after them: a select with one row per value and number,
    number 0 for what stands before the first letter.

    Arguments:
        signs: a relation of (value_number, sign, place).
        readings: a relation of (sign, kind, parts).

    `typed_marks` are the combining marks in the order in which they were typed. Before the first letter, spacing
    diacritics count as marks and an elision sign as a smooth breathing.
-#}
{% macro lettered(signs, readings) -%}
with

-- one row per letter or mark that a sign stands for
parts as (

    select
        signs.value_number,
        signs.place,
        readings.kind,
        unnest(readings.parts) as part,
        generate_subscripts(readings.parts, 1) as part_place,
    from {{ signs }} as signs
    inner join {{ readings }} as readings
        on signs.sign = readings.sign

),

found as (

    select
        *,
        kind in ('letter', 'variant', 'length', 'lookalike', 'foreign_letter') as is_letter,
    from parts

),

numbered as (

    select
        *,
        (sum(is_letter::integer) over (
            partition by value_number
            order by place, part_place
            rows between unbounded preceding and current row
        ))::integer as number,
    from found

)

select
    value_number,
    number,
    max(case when is_letter then part end) as letter,
    coalesce(max(case when is_letter then kind end), '') as letter_kind,
    coalesce(
        string_agg(
            case when kind = 'mark' or (number = 0 and kind in ('spacing_mark', 'elision')) then part end,
            '' order by place, part_place
        ),
        ''
    ) as typed_marks,
    bool_or(kind in ('elision', 'numeral')) as has_elision,
    bool_or(kind = 'hyphen') as has_hyphen,
    bool_or(kind = 'stop') as has_stop,
    bool_or(kind = 'spacing_mark') as has_spacing_mark,
    bool_or(kind = 'stray_mark') as has_stray_mark,
    bool_or(kind in ('foreign_sign', 'unread')) as has_foreign_sign,
    bool_or(kind = 'digit') as has_digit,
    bool_or(kind in ('length', 'length_sign')) as has_length_sign,
    bool_or(kind = 'editor_mark') as has_editor_mark,
    bool_or(kind = 'numeral') as has_numeral_sign,
from numbered
group by value_number, number
{%- endmacro %}
