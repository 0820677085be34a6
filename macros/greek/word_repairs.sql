{#-
    The rules that changed letters or marks of a word, over its letters (macro `marked_letters`, composed): names in the
    order of the alphabet, joined by commas; empty for none. What they mean stands in `audit.repaired_forms`.
-#}
{% macro word_repairs() -%}
{%- set rules = {
    'consonant_mark': "number > 0 and not is_vowel and marks <> case"
        ~ " when regexp_matches(after, '^[αεηιουω]$') then regexp_replace(kept_marks, '[\\x{0300}\\x{0301}\\x{0342}]', '', 'g')"
        ~ " else kept_marks end",
    'digit': 'has_digit',
    'editor_mark': 'has_editor_mark',
    'late_breathing': "is_elided and base in ('η', 'ω')",
    'length_sign': 'has_length_sign',
    'letter_variant': "letter_kind = 'variant'",
    'lookalike_sign': "letter_kind = 'lookalike'",
    'mark_order': 'is_vowel and marks <> kept_marks and length(marks) = length(kept_marks)',
    'moved_accent': 'number > 1 and moved_marks <> all_marks',
    'moved_breathing': 'number = 1 and moved_marks <> all_marks',
    'numeral_sign': 'has_numeral_sign',
    'second_mark': 'is_vowel and length(marks) < length(kept_marks)',
    'stray_sign': 'number between 1 and letters - 1 and (has_elision or has_spacing_mark)',
} -%}
concat_ws(
    ',',
    {%- for rule, condition in rules.items() %}
    case when bool_or({{ condition }}) then '{{ rule }}' end{{ ',' if not loop.last }}
    {%- endfor %}
)
{%- endmacro %}
