-- split-author-minima: every author on a track has the minimum of rows in each of the four splits.
with

counts as (

    select
        track,
        author,
        count(*) filter (where split = 'train') as train_rows,
        count(*) filter (where split = 'validation') as validation_rows,
        count(*) filter (where split = 'validation2') as validation2_rows,
        count(*) filter (where split = 'test') as test_rows,
    from {{ ref('benchmark_split_assignments') }}
    group by track, author

)

select *
from counts
where
    train_rows < {{ var('min_train_rows') }}
    or validation_rows < {{ var('min_validation_rows') }}
    or validation2_rows < {{ var('min_validation2_rows') }}
    or test_rows < {{ var('min_test_rows') }}
