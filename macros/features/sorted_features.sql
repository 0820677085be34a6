{#- A list of features in the order of Universal Dependencies: by name, without regard to capitals (Number before NumType). -#}
{% macro sorted_features(pairs) -%}
    list_transform(
        list_sort(list_transform({{ pairs }}, lambda pair: {'place': lower(pair), 'pair': pair})),
        lambda one: one.pair
    )
{%- endmacro %}
