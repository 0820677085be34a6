{#- The key of a node, different in the three trees of a sentence; that of the anchor has the position 0. -#}
{% macro tree_key(tree, sentence_number, position) -%}
case {{ tree }} when 'human' then 0 when 'machine' then 1 else 2 end * {{ gid_span() }}
        + {{ token_key(sentence_number, position) }}
{%- endmacro %}
