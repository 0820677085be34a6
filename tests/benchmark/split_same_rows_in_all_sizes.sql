-- split-same-rows-in-all-sizes: the chunks of every size hold exactly the rows of the track, each once,
-- under the same author and split.
with

sizes as (

    select
        assignments.track,
        chunk_sizes.chunk_target_size,
        assignments.author,
        assignments.split,
        assignments.published_id,
    from {{ ref('benchmark_split_assignments') }} as assignments
    cross join {{ ref('chunk_sizes') }} as chunk_sizes

),

constituents as (

    select
        track,
        chunk_target_size,
        author,
        split,
        unnest(constituent_ids) as published_id,
    from {{ ref('benchmark_chunks') }}

),

-- one row per track, size, author, split and sentence: 1 for the track, -1 for the chunk that holds it
balance as (

    select
        *,
        1 as side,
    from sizes
    union all
    select
        *,
        -1 as side,
    from constituents

)

select
    track,
    chunk_target_size,
    author,
    split,
    published_id,
    sum(side) as surplus,
from balance
group by track, chunk_target_size, author, split, published_id
having sum(side) <> 0
