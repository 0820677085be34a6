{#- `dbt clone` would put the tables of another project in the place of these without the hooks of a run. -#}
{% materialization clone, default %}
    {% do exceptions.raise_compiler_error("expected `dbt build`, found `dbt clone`: the tables here are made from the treebanks only") %}
{% endmaterialization %}
