with

parse as (

    select * from {{ ref('int_machine__parse') }}

),

-- one row per fold of the parse
folds as (

    select
        fold,
        list_sort(list(id)) as ids,
    from parse
    where
        token = 1
        and fold is not null
    group by fold

)

select * from folds
order by fold
