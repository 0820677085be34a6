with

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}
    where is_similar

),

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where not is_remainder

),

tracks as (

    select * from {{ ref('benchmark_tracks') }}
    where is_built

),

-- one row per track and pair of sentences that stand in different splits of it
divided as (

    select
        left_assignments.track,
        pairs.left_author = pairs.right_author as is_same_author,
        pairs.left_number,
        pairs.right_number,
        'test' in (left_assignments.split, right_assignments.split) as has_test,
        'train' in (left_assignments.split, right_assignments.split) as has_train,
    from pairs
    inner join assignments as left_assignments
        on pairs.left_number = left_assignments.sentence_number
    inner join assignments as right_assignments
        on
            pairs.right_number = right_assignments.sentence_number
            and left_assignments.track = right_assignments.track
            and left_assignments.split <> right_assignments.split

),

-- one row per built track
counts as (

    select
        tracks.track,
        count(case when divided.is_same_author then 1 end) as same_author_pairs,
        count(
            case when divided.is_same_author and divided.has_test and divided.has_train then 1 end
        ) as same_author_test_train_pairs,
        count(case when not divided.is_same_author then 1 end) as other_author_pairs,
        count(
            case when not divided.is_same_author and divided.has_test and divided.has_train then 1 end
        ) as other_author_test_train_pairs,
        max(tracks.test_rows) as test_rows,
    from tracks
    left join divided on tracks.track = divided.track
    group by tracks.track

)

select * from counts
order by track
