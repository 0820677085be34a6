{#-
    Whether a word is what was asked for, in the column that `by` names. A needle without accents is looked for in the
    letters keys: `λογος` finds λόγος. `words` is the table, `needle` and `by` are parameters of the macro.
-#}
{% macro word_is(words) -%}
case
        when "by" = 'lemma' and needle = strip_accents(needle) then {{ words }}.lemma_folded = {{ fold('needle') }}
        when "by" = 'lemma' then {{ words }}.lemma = needle
        when "by" = 'form' and needle = strip_accents(needle) then {{ words }}.folded = {{ fold('needle') }}
        when "by" = 'form' then {{ words }}.form = needle
        when "by" = 'folded' then {{ words }}.folded = {{ fold('needle') }}
        when "by" = 'lemma_folded' then {{ words }}.lemma_folded = {{ fold('needle') }}
        when "by" = 'upos' then {{ words }}.ud_upos = needle
        when "by" = 'relation' then {{ words }}.relation = needle
        when "by" = 'deprel' then {{ words }}.deprel = needle
        else error('by is lemma, form, folded, lemma_folded, upos, relation or deprel, not ' || "by")
    end
{%- endmacro %}
