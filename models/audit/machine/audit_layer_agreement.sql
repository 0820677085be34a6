{%- set scopes = {
    'all': "'all'", 'project': 'project', 'fold': 'fold::varchar', 'author': 'author', 'work': 'canonical_work'
} -%}
{%- set measures = ['uas', 'las', 'upos', 'feats'] -%}

with

compared as (

    select * from {{ ref('int_machine__compared') }}

),

-- one row per project, fold, author and work: tokens, and how many agree in what
counts as (

    select
        project,
        fold,
        author,
        canonical_work,
        count(*) as tokens,
        count(*) filter (where is_same_head) as uas,
        count(*) filter (where is_same_head and is_same_relation) as las,
        count(*) filter (where is_same_upos) as upos,
        count(*) filter (where human_pairs = machine_pairs) as feats,
    from compared
    group by project, fold, author, canonical_work

),

-- one row per scope, value of it and measure
agreement as (

    {% for scope, value in scopes.items() %}
        {% for measure in measures %}
            select
                '{{ scope }}' as scope,
                {{ value }} as scope_value,
                '{{ measure }}' as measure,
                sum(tokens)::bigint as tokens,
                sum({{ measure }})::bigint as agreeing,
                sum({{ measure }}) / sum(tokens) as share,
            from counts
            where {{ value }} is not null
            group by {{ value if scope != 'all' else 'all' }}
            {{ 'union all' if not loop.last }}
        {% endfor %}
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from agreement
where tokens > 0
order by scope, scope_value, measure
