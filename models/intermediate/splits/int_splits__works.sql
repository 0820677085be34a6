with

entered as (

    select * from {{ ref('int_splits__entered') }}

),

-- one row per canonical work with a title: the file-level title that most of its rows have
titles as (

    select
        canonical_work,
        work as title,
    from entered
    where work is not null
    group by canonical_work, work
    qualify row_number() over (partition by canonical_work order by count(*) desc, work asc) = 1

),

-- one row per canonical work
works as (

    select
        entered.canonical_work,
        min(entered.author) as author,
        min(entered.genre) as genre,
        count(distinct entered.author) as authors,
        count(distinct entered.genre) as genres,
        count(*) as work_rows,
        bool_and(entered.has_comparable_passages) as has_comparable_passages,
        list_sort(list(distinct entered.treebank_source)) as treebank_sources,
    from entered
    group by entered.canonical_work

),

-- one row per canonical work, with its title
titled_works as (

    select
        works.canonical_work,
        works.author,
        titles.title,
        works.genre,
        works.authors,
        works.genres,
        works.work_rows,
        works.has_comparable_passages,
        works.treebank_sources,
    from works
    left join titles on works.canonical_work = titles.canonical_work

)

select * from titled_works
