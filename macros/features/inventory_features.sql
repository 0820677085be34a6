{#-
    A FEATS string without the pairs that the human layer does not publish, as a sorted list of pairs, empty for null:
    `Case=Nom|Degree=Pos` -> [Case=Nom]. A pair with several values at once stays when each of them is published.
    `inventory` is a list of published pairs.
-#}
{% macro inventory_features(feats, inventory) -%}
    list_sort(list_filter(
        string_split(coalesce({{ feats }}, ''), '|'),
        lambda pair: list_has_all({{ inventory }}, list_transform(
            string_split(split_part(pair, '=', 2), ','),
            lambda part: split_part(pair, '=', 1) || '=' || part
        ))
    ))
{%- endmacro %}
