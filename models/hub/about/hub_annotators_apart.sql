with

annotators as (

    select * from {{ ref('int_splits__annotators') }}

),

tracks as (

    select * from {{ ref('benchmark_tracks') }}
    where split_rule = 'held_out'

),

-- one row per held-out track and author, with who annotated what is tested and what is learnt from
authors as (

    select
        annotators.track,
        annotators.author,
        any_value(annotators.annotators) filter (where annotators.split = 'test') as test_annotators,
        any_value(annotators.annotators) filter (where annotators.split = 'train') as train_annotators,
    from annotators
    inner join tracks on annotators.track = tracks.track
    group by annotators.track, annotators.author

),

-- one row per held-out track and author of whom nobody is known to have annotated both
apart as (

    select *
    from authors
    where not list_has_any(test_annotators, train_annotators)

)

select * from apart
order by track, author
