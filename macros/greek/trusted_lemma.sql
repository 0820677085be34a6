{#- A published lemma, or null where nothing trustworthy is left: see `lemma_null_reason`. -#}
{% macro trusted_lemma(form, corruption) -%}
case when {{ lemma_null_reason(form, corruption) }} is null then {{ form }} end
{%- endmacro %}

{#-
    Why a lemma is null: `placeholder` (no Greek letter is left), the corruption of the form, or `damaged_marks`
    (a mark that composes with no letter: nobody knows where it belongs).
-#}
{% macro lemma_null_reason(form, corruption) -%}
case
    when {{ form }} = '' then 'placeholder'
    when {{ corruption }} is not null then {{ corruption }}
    when regexp_matches({{ form }}, '\p{M}') then 'damaged_marks'
end
{%- endmacro %}
