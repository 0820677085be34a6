{#- The minima of rows that an author needs in each split, as pairs (split, rows). -#}
{% macro split_minima() -%}
    {{ return([
        ('train', var('min_train_rows')),
        ('validation', var('min_validation_rows')),
        ('validation2', var('min_validation2_rows')),
        ('test', var('min_test_rows')),
    ]) }}
{%- endmacro %}
