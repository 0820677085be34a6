{#-
    What speaks against a word, over the letters of one value (macro `marked_letters`, composed); null for nothing.

    - `mixed_script`: Greek letters and letters of another script.
    - `glued_mark`: two words in one token, with a stop, dash, quotation mark or blank between two letters (a hyphen among
      them tells the end of a line), or with an elision sign before a letter that begins a word: its breathing follows, or,
      in a word without any mark, a vowel.
    - `stray_mark`: a mark that composes with no letter and that no rule moves or removes.
    - `foreign_sign`: a sign that is no letter and that no row of the seed `signs` reads.
-#}
{% macro word_corruption() -%}
case
    when bool_or(letter_kind = 'foreign_letter') then 'mixed_script'
    when bool_or(number between 1 and letters - 1 and has_stop and not has_hyphen) then 'glued_mark'
    when bool_or({{ is_before_word('breathing') | indent(4) }}) then 'glued_mark'
    when
        bool_or({{ is_before_word('vowel') | indent(8) }})
        and not bool_or(number > 0 and all_marks <> '')
        then 'glued_mark'
    when bool_or(has_stray_mark or (number > 0 and published_letter is null)) then 'stray_mark'
    when bool_or(has_foreign_sign) then 'foreign_sign'
end
{%- endmacro %}

{#-
    Whether an elision sign, typed beside a letter or on a consonant, stands before the beginning of a word: a vowel,
    diphthong or rho with a breathing (`breathing`), or any vowel (`vowel`).
-#}
{% macro is_before_word(beginning) -%}
number > 0
and (has_elision or (not is_vowel and base <> 'ρ' and contains(all_marks, '{{ "\u0313" }}')))
and
{%- if beginning == 'vowel' %} regexp_matches(after, '^[αεηιουω]')
{%- else %} (
    regexp_matches(after, '^[αεηιουωρ].*[\x{0313}\x{0314}]')
    or (regexp_matches(after, '^[αεηιουω]$') and regexp_matches(second_after, '^[ιυ].*[\x{0313}\x{0314}]'))
)
{%- endif %}
{%- endmacro %}

{#- Whether a value as read has remains of beta code: its signs between Greek letters, or a whole word in it. -#}
{% macro is_beta_code(native) -%}
regexp_matches({{ native }}, '[{{ greek_letters() }}][*/\\=+|&%#@^]+[{{ greek_letters() }}]')
or regexp_matches({{ native }}, '^\*[{{ greek_letters() }}]')
or regexp_matches({{ native }}, '^\*?[a-z()|+]+[/\\=][a-z()/\\=|+]*$')
{%- endmacro %}

{#- Both blocks of the Greek script, as the inside of a character class. -#}
{% macro greek_letters() -%}
\x{0370}-\x{03FF}\x{1F00}-\x{1FFF}
{%- endmacro %}
