{%- set scopes = {'all': "'all'", 'project': 'project'} -%}

with

compared as (

    select * from {{ ref('int_machine__compared') }}

),

-- one row per project and pair of feature lists
pairs as (

    select
        project,
        human_pairs,
        machine_pairs,
        count(*) as tokens,
    from compared
    group by project, human_pairs, machine_pairs

),

-- one row per project, pair of feature lists and feature of either
unnested as (

    select
        project,
        unnest(list_sort(list_distinct(list_concat(human_pairs, machine_pairs)))) as feature,
        human_pairs,
        machine_pairs,
        tokens,
    from pairs

),

-- one row per project and feature
counts as (

    select
        project,
        feature,
        sum(if(list_contains(human_pairs, feature), tokens, 0)) as human,
        sum(if(list_contains(machine_pairs, feature), tokens, 0)) as machine,
        sum(
            if(list_contains(human_pairs, feature) and list_contains(machine_pairs, feature), tokens, 0)
        ) as both_layers,
    from unnested
    group by project, feature

),

-- one row per scope, value of it and feature
scoped as (

    {% for scope, value in scopes.items() %}
        select
            '{{ scope }}' as scope,
            {{ value }} as scope_value,
            feature,
            sum(human)::bigint as human,
            sum(machine)::bigint as machine,
            sum(both_layers)::bigint as both_layers,
        from counts
        group by {{ 'feature' if scope == 'all' else value ~ ', feature' }}
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per scope, value of it and feature, with the usual measures
agreement as (

    select
        scope,
        scope_value,
        feature,
        human,
        machine,
        both_layers,
        both_layers / nullif(machine, 0) as precision,
        both_layers / nullif(human, 0) as recall,
        2.0 * both_layers / (human + machine) as f1,
    from scoped

)

select * from agreement
order by scope, scope_value, feature
