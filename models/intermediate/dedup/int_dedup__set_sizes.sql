with

ngrams as (

    select * from {{ ref('int_dedup__ngrams') }}

),

-- one row per sentence that has a 4-gram
set_sizes as (

    select
        sentence_number,
        count(*)::integer as set_size,
        -- the fewest shared 4-grams with which a set of this size can be the smaller of a pair
        greatest(1, ceil({{ candidate_min_share() }} * count(*)))::integer as required,
    from ngrams
    group by sentence_number

)

select * from set_sizes
