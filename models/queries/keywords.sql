-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06
with

words as (

    select * from {{ ref('corpus_words').include(database=false) }}

),

-- one row per word: whether it belongs to the target, and to what it is compared with
sides as (

    select
        words.lemma,
        coalesce(target in (words.author, words.genre, words.canonical_work, words.project), false) as is_target,
        not is_target and (
            reference is null
            or coalesce(reference in (words.author, words.genre, words.canonical_work, words.project), false)
        ) as is_reference,
    from words

),

-- one row: the words of the target and of what it is compared with
totals as (

    select
        count(*) filter (sides.is_target)::double as target_words,
        count(*) filter (sides.is_reference)::double as reference_words,
    from sides

),

-- one row per lemma with the four cells
cells as (

    select
        sides.lemma,
        count(*) filter (sides.is_target)::double as target_with,
        any_value(totals.target_words) - target_with as target_without,
        count(*) filter (sides.is_reference)::double as reference_with,
        any_value(totals.reference_words) - reference_with as reference_without,
    from sides
    cross join totals
    where sides.lemma is not null and (sides.is_target or sides.is_reference)
    group by sides.lemma

),

-- one row per lemma, the most typical of the target first
keywords as (

    select
        cells.lemma,
        cells.target_with::integer as target_with,
        cells.target_without::integer as target_without,
        cells.reference_with::integer as reference_with,
        cells.reference_without::integer as reference_without,
        round(cells.target_with * 1e6 / (cells.target_with + cells.target_without), 2) as target_per_million,
        round(cells.reference_with * 1e6 / (cells.reference_with + cells.reference_without), 2)
            as reference_per_million,
        round(
            {{ log_likelihood(
                'cells.target_with', 'cells.target_without', 'cells.reference_with', 'cells.reference_without'
            ) }}, 3
        ) as log_likelihood,
        round(
            log2(
                (greatest(cells.target_with, 0.5) / (cells.target_with + cells.target_without))
                / (greatest(cells.reference_with, 0.5) / (cells.reference_with + cells.reference_without))
            ),
            3
        ) as log_ratio,
    from cells
    order by log_likelihood desc, cells.lemma asc

)

select * from keywords
