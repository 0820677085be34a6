{#- The columns of one n-gram, word_1 .. word_n, as many as the variable ngram_size says. -#}
{% macro ngram_columns(prefix="") -%}
    {%- for n in range(1, var("ngram_size") | int + 1) -%}
        {{ prefix }}word_{{ n }}{{ ", " if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
