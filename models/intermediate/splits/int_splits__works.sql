with

entered as (

    select * from {{ ref('int_splits__entered') }}

),

-- one row per canonical work, with its title
works as (

    select
        entered.canonical_work,
        min(entered.author) as author,
        min(entered.work) as title,
        min(entered.genre) as genre,
        count(distinct entered.author) as authors,
        count(distinct entered.genre) as genres,
        count(*) as work_rows,
        bool_and(entered.has_comparable_passages) as has_comparable_passages,
        list_sort(list(distinct entered.treebank_source)) as treebank_sources,
    from entered
    group by entered.canonical_work

)

select * from works
