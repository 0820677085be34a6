with

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where not is_remainder

),

entered as (

    select * from {{ ref('int_splits__entered') }}

),

chunk_sizes as (

    select * from {{ ref('chunk_sizes') }}

),

-- one row per track, size and published sentence, numbered from 0 in its work
numbered as (

    select
        assignments.track,
        chunk_sizes.chunk_target_size,
        assignments.author,
        assignments.split,
        assignments.canonical_work,
        assignments.sentence_number,
        entered.text_rank,
        row_number() over (
            partition by
                assignments.track,
                chunk_sizes.chunk_target_size,
                assignments.author,
                assignments.split,
                assignments.canonical_work
            order by entered.text_rank
        ) - 1 as place_in_work,
        count(*) over (
            partition by
                assignments.track,
                chunk_sizes.chunk_target_size,
                assignments.author,
                assignments.split,
                assignments.canonical_work
        ) as rows_of_work,
    from assignments
    inner join entered on assignments.sentence_number = entered.sentence_number
    cross join chunk_sizes

),

-- one row per track, size and published sentence, in the order of the chunks: whole chunks of one
-- work first, work by work, then what is left of each work
ordered as (

    select
        track,
        chunk_target_size,
        author,
        split,
        canonical_work,
        sentence_number,
        row_number() over (
            partition by track, chunk_target_size, author, split
            order by
                place_in_work >= rows_of_work // chunk_target_size * chunk_target_size,
                canonical_work,
                text_rank
        ) - 1 as place_in_split,
    from numbered

),

-- one row per track, size and published sentence
members as (

    select
        track,
        chunk_target_size,
        author,
        split,
        canonical_work,
        sentence_number,
        place_in_split // chunk_target_size + 1 as chunk_number,
        place_in_split % chunk_target_size + 1 as place_in_chunk,
    from ordered

)

select * from members
