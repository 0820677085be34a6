{#-
    A lemma before the steps of the published form (macro `published_forms`): digits that number its senses, `#` and `%` that
    mark them, and the commas between its preverbs go (`λέγω3`, `βλέπω,`, `σύν,ἐπί-ἱστάνω`). Everything else is one rule for
    forms and lemmas.
-#}
{% macro repaired_lemma(column) -%}
regexp_replace({{ column }}, '[\p{N}#%,]+', '', 'g')
{%- endmacro %}
