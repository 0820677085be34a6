with

fates as (

    select * from {{ ref('corpus_sentence_fates') }}

),

-- one row per project, author and fate
counts as (

    select
        project,
        coalesce(author, '(none)') as author,
        fate,
        count(*) as sentences,
    from fates
    group by project, coalesce(author, '(none)'), fate

),

-- one row per scope, value of it and fate
scope_counts as (

    {% for scope, value in {'all': "'all'", 'project': 'project', 'author': 'author'}.items() %}
        select
            '{{ scope }}' as scope,
            {{ value }} as scope_value,
            fate,
            sum(sentences)::bigint as sentences,
        from counts
        group by {{ value ~ ', fate' if scope != 'all' else 'fate' }}
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from scope_counts
order by scope, scope_value, fate
