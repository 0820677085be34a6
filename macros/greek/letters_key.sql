{#-
    The letters key of a published form: diacritics off, final sigma folded, Greek letters only.
    `ἀλλ`, `Ἄλλ'` and `ἀλλʼ` have one key. The argument is a published form (lower case).
-#}
{% macro letters_key(form) -%}
regexp_replace(replace(strip_accents({{ form }}), 'ς', 'σ'), '[^{{ greek_letters() }}]', '', 'g')
{%- endmacro %}
