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

{#-
    CTE of one row: the sentence that is wanted, by its own id, a published id (`s-` and sixteen digits) or a dedup key.
-#}
{% macro wanted_sentence() -%}
subjects as (

    select sentences.*
    from {{ ref('corpus_sentences').include(database=false) }} as sentences
    where
        sentences.sentence_id = wanted
        or sentences.dedup_key = wanted
        or 's-' || left(sentences.dedup_key, 16) = wanted
    order by sentences.sentence_id != wanted, sentences.fate != 'published', sentences.sentence_number
    limit 1

),

-- one row per node of the sentence in the layer
nodes as (

    select nodes.*
    from {{ ref('corpus_nodes').include(database=false) }} as nodes
    inner join subjects
        on nodes.sentence_number = subjects.sentence_number
    where nodes.layer = layer

)
{%- endmacro %}

{#- Whether a position stands in the subtree of a node; `nodes` is the table of the upper one. -#}
{% macro stands_under(nodes, position) -%}
{{ position }} between {{ nodes }}.subtree_first and {{ nodes }}.subtree_last
        and ({{ nodes }}.subtree_gaps is null or not list_contains({{ nodes }}.subtree_gaps, {{ position }}))
{%- endmacro %}
