-- matched-rows-equal-main: a matched in-work track has exactly the rows and splits that the main track has
-- for its authors.
with

matched as (

    select track
    from {{ ref('benchmark_tracks') }}
    where
        is_matched
        and split_rule = 'in_work'

),

members as (

    select
        track_authors.track,
        track_authors.author,
    from {{ ref('track_authors') }} as track_authors
    inner join matched on track_authors.track = matched.track
    where track_authors.decision = 'include'

),

expected as (

    select
        members.track,
        assignments.published_id,
        assignments.author,
        assignments.split,
    from {{ ref('benchmark_split_assignments') }} as assignments
    inner join members on assignments.author = members.author
    where assignments.track = 'sentence'

),

found as (

    select
        assignments.track,
        assignments.published_id,
        assignments.author,
        assignments.split,
    from {{ ref('benchmark_split_assignments') }} as assignments
    inner join matched on assignments.track = matched.track

),

-- one row per track, author, split and sentence: 1 for what is expected, -1 for what is found
balance as (

    select
        track,
        published_id,
        author,
        split,
        1 as side,
    from expected
    union all
    select
        track,
        published_id,
        author,
        split,
        -1 as side,
    from found

)

select
    track,
    published_id,
    author,
    split,
    sum(side) as surplus,
from balance
group by track, published_id, author, split
having sum(side) <> 0
