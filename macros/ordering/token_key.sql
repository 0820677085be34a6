{#-
    One integer for a token: the sentence number and the place in the file, so that joins and orders need one column.
    No sentence may have more rows than the factor; the test `sentence_fits_token_key` holds it.
-#}
{% macro token_key(sentence_number, source_index) -%}
{{ sentence_number }}::bigint * {{ var('token_key_factor') }} + {{ source_index }}
{%- endmacro %}
