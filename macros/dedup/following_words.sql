{#- The columns word_1, word_2, ... of a word and of those that follow it in its sentence, as many as an n-gram has. -#}
{% macro following_words() -%}
word_number as word_1,
{%- for n in range(1, var('ngram_size') | int) %}
    lead(word_number, {{ n }}) over (
        partition by sentence_number order by token_index
    ) as word_{{ n + 1 }},
{%- endfor %}
{%- endmacro %}
