{#-
    The column of corpus.tokens with the class (`upos`) or the features (`feats`) in full Universal Dependencies: `ud_upos`,
    `ud_feats`. Where corpus.tokens has only the published inventory, that one.
-#}
{% macro full_inventory(column) -%}
{%- set tokens = graph.nodes.get('model.sphragis.corpus_tokens', {}) if execute else {} -%}
{{ 'ud_' ~ column if 'ud_' ~ column in tokens.get('columns', {}) else column }}
{%- endmacro %}
