{#- The features of the published inventory, each a column of corpus.tokens (`Case` -> `feat_case`). -#}
{% macro feature_columns() -%}
{{ return(['Aspect', 'Case', 'Degree', 'Gender', 'Mood', 'Number', 'Person', 'Tense', 'VerbForm', 'Voice']) }}
{%- endmacro %}

{#- The value of one feature in a FEATS string, null when the string has none: `Case=Nom|Number=Sing` -> `Nom`. -#}
{% macro feature_value(feats, feature) -%}
nullif(regexp_extract({{ feats }}, '(?:^|\|){{ feature }}=([^|]+)', 1), '')
{%- endmacro %}

{% macro feature_column(feature) -%}
feat_{{ feature | lower }}
{%- endmacro %}
