{#- The column of the words that a parameter names. -#}
{% macro word_column(parameter, words) -%}
case
        {%- for name in [
            'lemma', 'form', 'folded', 'lemma_folded', 'relation', 'deprel', 'ud_upos', 'ud_feats', 'feats', 'native_tag',
            'author', 'work', 'canonical_work', 'genre', 'project', 'fate', 'split'
        ] %}
        when {{ parameter }} = '{{ name }}' then {{ words }}.{{ name }}
        {%- endfor %}
        when {{ parameter }} = 'upos' then {{ words }}.ud_upos
        else error('no column of corpus.words to count: ' || {{ parameter }})
    end
{%- endmacro %}
