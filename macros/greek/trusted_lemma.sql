{#- A published lemma, or null where nothing trustworthy is left: see `lemma_null_reason`. -#}
{% macro trusted_lemma(form, corruption, repairs) -%}
case when {{ lemma_null_reason(form, corruption, repairs) }} is null then {{ form }} end
{%- endmacro %}

{#-
    Why a lemma is null: `placeholder` (no Greek letter is left), the corruption of the form, or `damaged_marks` (a mark that
    composes with no letter, or that has gone from a consonant: nobody knows where it belongs, or which letter is lost).
-#}
{% macro lemma_null_reason(form, corruption, repairs) -%}
case
    when {{ form }} = '' then 'placeholder'
    when {{ corruption }} = 'stray_mark' then 'damaged_marks'
    when {{ corruption }} is not null then {{ corruption }}
    when contains({{ repairs }}, 'consonant_mark') then 'damaged_marks'
end
{%- endmacro %}
