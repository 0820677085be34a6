-- dedup-independent-candidates: a cross-check of the exact join by an independent method. Every
-- candidate of locality-sensitive hashing whose Jaccard similarity, counted over the full sets, is at
-- least one half stands in int_dedup__shared_ngrams with that count.
with

candidates as (

    select distinct
        left_number,
        right_number,
    from {{ ref('int_dedup__lsh_candidates') }}

),

ngrams as (

    select * from {{ ref('int_dedup__ngrams') }}

),

sizes as (

    select * from {{ ref('int_dedup__set_sizes') }}

),

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}

),

-- one row per candidate that shares a 4-gram
counted as (

    select
        candidates.left_number,
        candidates.right_number,
        count(*) as shared,
    from candidates
    inner join ngrams as left_ngrams on candidates.left_number = left_ngrams.sentence_number
    inner join ngrams as right_ngrams
        on
            candidates.right_number = right_ngrams.sentence_number
            and {{ same_ngram('left_ngrams', 'right_ngrams') }}
    group by candidates.left_number, candidates.right_number

)

select
    counted.left_number,
    counted.right_number,
    counted.shared,
    pairs.shared as shared_in_pairs,
from counted
inner join sizes as left_sizes on counted.left_number = left_sizes.sentence_number
inner join sizes as right_sizes on counted.right_number = right_sizes.sentence_number
left join pairs
    on
        counted.left_number = pairs.left_number
        and counted.right_number = pairs.right_number
where
    2 * counted.shared >= left_sizes.set_size + right_sizes.set_size - counted.shared
    and pairs.shared is distinct from counted.shared
