-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06
with

words as (

    select * from {{ ref('corpus_words').include(database=false) }}

),

-- one row per word with what is counted, and in which group
valued as (

    select
        {{ word_column('what', 'words') }} as value,
        case when "by" is null then 'all' else {{ word_column("coalesce(\"by\", 'author')", 'words') }} end as in_group,
    from words

),

-- one row per group with its words
sizes as (

    select
        valued.in_group,
        count(*) as words,
    from valued
    group by valued.in_group

),

-- one row per value and group
counted as (

    select
        valued.value,
        valued.in_group,
        count(*) as absolute,
    from valued
    where valued.value is not null
    group by valued.value, valued.in_group

),

-- one row per value and group, with its share
frequencies as (

    select
        counted.value,
        counted.in_group,
        counted.absolute,
        round(counted.absolute * 1000000.0 / sizes.words, 2) as per_million,
        sizes.words,
    from counted
    inner join sizes
        on counted.in_group is not distinct from sizes.in_group
    order by counted.absolute desc, counted.value asc, counted.in_group asc

)

select * from frequencies
