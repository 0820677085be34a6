{#-
    Steps 3 and 4: composed, lower case, `ς` at the end of the word and `σ` elsewhere, lunate sigma as sigma.
    The engine's lower() knows no final sigma; composed again, because some sequences compose only in lower case.
-#}
{% macro lower_greek(column) -%}
nfc_normalize(
    regexp_replace(
        regexp_replace(lower(nfc_normalize({{ column }})), '[ς\x{03F2}]', 'σ', 'g'),
        'σ$',
        'ς'
    )
)
{%- endmacro %}
