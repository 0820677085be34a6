with

words as (

    select * from {{ ref('corpus_words').include(database=false) }}

),

-- one row per work with its words and hits
parts as (

    select
        words.canonical_work,
        count(*)::double as size,
        count(*) filter ({{ word_is('words') }})::double as hits,
    from words
    group by words.canonical_work

),

-- one row: the words and the hits of all works
totals as (

    select
        sum(parts.size) as size,
        sum(parts.hits) as hits,
    from parts

),

-- one row
dispersions as (

    select
        any_value(totals.hits)::integer as hits,
        count(*) filter (parts.hits > 0)::integer as works_with,
        count(*)::integer as works,
        round(
            1
            - stddev_pop(parts.hits / parts.size) / nullif(avg(parts.hits / parts.size), 0)
            / sqrt(nullif(count(*) - 1, 0)),
            4
        ) as juilland_d,
        round(0.5 * sum(abs(parts.hits / nullif(totals.hits, 0) - parts.size / totals.size)), 4) as gries_dp,
        round(
            0.5 * sum(abs(parts.hits / nullif(totals.hits, 0) - parts.size / totals.size))
            / nullif(1 - min(parts.size / totals.size), 0),
            4
        ) as gries_dp_norm,
    from parts
    cross join totals

)

select * from dispersions
