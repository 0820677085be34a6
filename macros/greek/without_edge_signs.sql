{#-
    Step 2b: elision and prodelision signs at the edges go.
    `’στιν` -> `στιν`, `ἀλλʼ` -> `ἀλλ`. A numeral sign (U+02B9) at the end is an elision sign when the word carries an
    accent or a breathing (`ἐπʹ`), because numerals carry none (`ηʹ` stays).
-#}
{% macro without_edge_signs(column) -%}
regexp_replace(
    regexp_replace(
        regexp_replace({{ column }}, '^[{{ elision_signs() }}\p{M}]+', ''),
        '[{{ elision_signs() }}]+$',
        ''
    ),
    '^(.*[^{{ plain_greek_letters() }}].*)\x{02B9}+$',
    '\1'
)
{%- endmacro %}

{#- The letters without any mark, and the numeral sign itself. -#}
{% macro plain_greek_letters() -%}
\x{0391}-\x{03A9}\x{03B1}-\x{03C9}\x{03DA}-\x{03E1}\x{02B9}
{%- endmacro %}
