with

in_work as (

    select * from {{ ref('int_splits__in_work') }}

),

-- one row per author with a sentence that entered
authors as (

    select
        author,
        {{ retention_columns() }},
    from in_work
    group by author

),

-- one row per author with a sentence that entered, with the verdict
verdicts as (

    select
        author,
        entered_rows,
        train_rows,
        validation_rows,
        validation2_rows,
        test_rows,
        has_minima as is_retained,
        case
            when not has_minima
                then
                    'too few rows on the main track after the cut to tens: ' || missing_rows
        end as reason,
    from authors

)

select * from verdicts
