{#- One select per project over its staging model of an entity, put together with `union all`. -#}
{% macro union_staging(entity, columns, projects) %}
{%- for project in projects %}
select {{ columns | join(', ') }} from {{ ref('stg_' ~ project ~ '__' ~ entity) }}
{%- if not loop.last %} union all {%- endif %}
{%- endfor %}
{% endmacro %}

{#- The projects by format; the registry (seed projects) is tested to agree. -#}
{% macro native_projects() %}{{ return(['agdt', 'gorman', 'pedalion', 'harrington']) }}{% endmacro %}
{% macro ud_projects() %}{{ return(['ud_perseus', 'ud_proiel', 'ud_ptnk']) }}{% endmacro %}
