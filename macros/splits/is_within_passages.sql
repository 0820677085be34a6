{#- Whether a passage begins between two others, both included; a bound with fewer levels means all below it (10 is the whole
    book), and without the last one the work runs to its end. Arguments are keys of `passage_key`. -#}
{% macro is_within_passages(key, from_key, to_key) -%}
    coalesce(
        array_length({{ key }}) >= array_length({{ from_key }})
        and {{ key }} >= {{ from_key }}
        and ({{ to_key }} is null or list_slice({{ key }}, 1, array_length({{ to_key }})) <= {{ to_key }}),
        false
    )
{%- endmacro %}
