{#-
    Steps 1 and 2a of the published form: what is no part of the word goes, and the rest is composed.
    1. Control, zero-width and byte-order characters go; so does white space (NFC also makes U+0343 into U+0313).
    2. Brackets, quotation marks, hyphens, punctuation and symbols go; letters, marks, digits and elision signs stay.
-#}
{% macro cleaned_form(column) -%}
regexp_replace(
    nfc_normalize(regexp_replace({{ column }}, '[\p{Cc}\p{Cf}\p{Z}]', '', 'g')),
    '[^\p{L}\p{M}\p{N}{{ elision_signs() }}]',
    '',
    'g'
)
{%- endmacro %}
