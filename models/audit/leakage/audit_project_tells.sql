with

information as (

    select * from {{ ref('audit_project_information') }}

),

exceptions as (

    select * from {{ ref('int_leakage__exceptions') }}

),

-- one row per column: the words that were compared
compared as (

    select
        category,
        sum(words) as compared_words,
    from information
    group by category

),

-- one row per column, value and form; whole millionths of a bit have one sum in any order
forms as (

    select
        category,
        value,
        form,
        sum(round(1e6 * bits)::bigint)::bigint as microbits,
    from information
    group by category, value, form

),

-- one row per column and value, with the forms in which it tells most
best_forms as (

    select
        category,
        value,
        list_slice(list(form order by microbits desc, form asc), 1, 5) as forms,
    from forms
    group by category, value

),

-- one row per column, value and project
projects as (

    select
        layer,
        category,
        value,
        project,
        sum(words)::bigint as words,
        sum(round(1e6 * bits)::bigint)::bigint as microbits,
        sum(round(1e6 * bits_of_chance)::bigint)::bigint as microbits_of_chance,
    from information
    group by layer, category, value, project

),

-- one row per column and value
values_of_columns as (

    select
        layer,
        category,
        value,
        sum(words)::bigint as words,
        sum(microbits)::bigint as microbits,
        -- that of a chi-squared sum with as many degrees of freedom as give these bits in the mean
        sqrt(sum(microbits_of_chance) / 1e6 / ln(2)) as deviation,
        arg_max(project, (microbits, project)) as project,
    from projects
    group by layer, category, value

),

-- one row per column and value, with the reason for which it may tell
tells as (

    select
        values_of_columns.layer,
        values_of_columns.category,
        values_of_columns.value,
        values_of_columns.project,
        values_of_columns.words,
        (values_of_columns.microbits / compared.compared_words / 1e6)::double as bits_per_word,
        (values_of_columns.microbits / values_of_columns.words / 1e6)::double as bits_per_occurrence,
        round(values_of_columns.microbits / 1e6 / nullif(values_of_columns.deviation, 0), 6) as deviations,
        best_forms.forms,
        -- the absence of a value tells as much as the value itself, and is no label that could be changed
        values_of_columns.value not in ('root', 'none', 'no ' || values_of_columns.category)
        and values_of_columns.microbits >= {{ var('tell_max_bits') }} * 1e6 * compared.compared_words
        and values_of_columns.microbits > {{ var('tell_min_deviations') }} * 1e6 * values_of_columns.deviation
            as is_tell,
        exceptions.reason,
    from values_of_columns
    inner join compared on values_of_columns.category = compared.category
    inner join best_forms
        on values_of_columns.category = best_forms.category and values_of_columns.value = best_forms.value
    left join exceptions
        on values_of_columns.layer = exceptions.layer and values_of_columns.value = exceptions.value

)

select * from tells
order by bits_per_word desc, category asc, value asc
