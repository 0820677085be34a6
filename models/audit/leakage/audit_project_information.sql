{%- set one_value = {
    'upos': 'upos',
    'deprel': 'deprel',
    'lemma': "coalesce(lemma, 'none')",
    'direction': "coalesce(direction, 'root')",
} -%}

with

words as (

    select * from {{ ref('int_leakage__words') }}

),

-- one row per form of an author, project, and combination of values; authors whom several projects have annotated
combinations as (

    select
        author,
        form,
        project,
        upos,
        deprel,
        lemma,
        direction,
        feats,
        count(*) as words,
    from words
    where
        layer = 'human'
        and is_published
    group by author, form, project, upos, deprel, lemma, direction, feats
    qualify min(project) over (partition by author) <> max(project) over (partition by author)

),

-- one row per form of an author that two projects have, often enough
compared as (

    select
        author,
        form,
        sum(words) as form_words,
        count(distinct project) as projects,
    from combinations
    group by author, form
    having
        count(distinct project) > 1
        and sum(words) >= {{ var('tell_min_form_words') }}

),

-- one row per form of an author, project, column and value
counted as (

    {% for category, value in one_value.items() %}
        select
            author,
            form,
            project,
            '{{ category }}' as layer,
            '{{ category }}' as category,
            {{ value }} as value,
            sum(words) as words,
        from combinations
        group by all
        union all
    {% endfor %}
    {% for feature in feature_columns() %}
        select
            author,
            form,
            project,
            'feats' as layer,
            '{{ feature }}' as category,
            coalesce('{{ feature }}=' || {{ feature_value('feats', feature) }}, 'no {{ feature }}') as value,
            sum(words) as words,
        from combinations
        group by all
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per form of an author, project, column and value, with the totals that it is compared with
totals as (

    select
        counted.*,
        compared.form_words,
        compared.projects,
        sum(counted.words) over (
            partition by counted.author, counted.form, counted.category, counted.project
        ) as project_words,
        sum(counted.words) over (
            partition by counted.author, counted.form, counted.category, counted.value
        ) as value_words,
        count(*) over (
            partition by counted.author, counted.form, counted.category, counted.value
        ) as value_projects,
    from counted
    inner join compared
        on counted.author = compared.author and counted.form = compared.form

),

-- one row per form of an author, project, column and value, with what chance would give it
expected as (

    select
        *,
        project_words * value_words / form_words as expected_words,
        (projects - 1) * (1 - value_words / form_words) / (2 * ln(2)) / value_projects as bits_of_chance,
    from totals

),

-- one row per column, form, value and project; whole millionths have one sum in any order
information as (

    select
        layer,
        category,
        form,
        value,
        project,
        sum(words)::bigint as words,
        (sum(round(1e6 * expected_words)::bigint) / 1e6)::double as expected_words,
        (
            sum(round(1e6 * (words * log2(words / expected_words) - bits_of_chance))::bigint) / 1e6
        )::double as bits,
        (sum(round(1e6 * bits_of_chance)::bigint) / 1e6)::double as bits_of_chance,
    from expected
    group by layer, category, form, value, project

)

select * from information
order by layer, category, form, value, project
