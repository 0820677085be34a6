with

candidates as (

    select * from {{ ref('int_syntax__candidates') }}

),

roles as (

    select * from {{ ref('int_syntax__roles') }}

),

label_bases as (

    select * from {{ ref('label_bases') }}

),

-- no row: below the lowest function nodes nothing has been chosen
chosen_0 as (

    select
        null::bigint as gid,
        null::varchar as role,
        null::bigint as sub_gid,
        null::bigint as rep_gid,
        null::varchar as base,
        null::integer as co,
        null::integer as ap,
        null::boolean as has_preposition,
        null::boolean as is_clause,
        null::boolean as is_coordination,
        null::bigint[] as members,
    where false

),

{% for height in range(1, var('max_function_height') + 1) %}
{{ choose_substitutes(height) }},
{% endfor %}

-- one row per function node with a replacement
choices as (

    {% for height in range(var('max_function_height') + 1) %}
    select * from chosen_{{ height }}
    {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from choices
