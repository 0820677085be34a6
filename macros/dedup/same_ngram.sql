{#- The join condition that two rows hold the same n-gram. -#}
{% macro same_ngram(left_alias, right_alias) -%}
    {%- for n in range(1, var("ngram_size") | int + 1) -%}
        {{ left_alias }}.word_{{ n }} = {{ right_alias }}.word_{{ n }}{{ " and " if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
