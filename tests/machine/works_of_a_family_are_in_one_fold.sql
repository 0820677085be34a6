-- machine-works-in-one-fold: a canonical work, and works that repeat each other as one text, are parsed by one model,
-- which learns from none of them. One row per work in several folds, and per two works in several folds that share
-- enough pairs of similar sentences, which are counted anew.
with

sentences as (

    select * from {{ ref('int_machine__sentences') }}

),

-- one row per pair of published sentences that reach the near-duplicate rule
pairs as (

    select
        least(lefts.canonical_work, rights.canonical_work) as first_work,
        greatest(lefts.canonical_work, rights.canonical_work) as second_work,
    from {{ ref('int_dedup__shared_ngrams') }} as counted
    inner join sentences as lefts
        on counted.left_number = lefts.sentence_number
    inner join sentences as rights
        on counted.right_number = rights.sentence_number
    where
        counted.shared >= {{ var('near_duplicate_min_shared') }}
        and counted.shared
        >= {{ var('near_duplicate_min_share') }} * least(counted.left_size, counted.right_size)

),

-- one row per work with itself, and per two works that repeat each other
together as (

    select distinct
        canonical_work as first_work,
        canonical_work as second_work,
        null::bigint as pairs,
    from sentences

    union all

    select
        first_work,
        second_work,
        count(*) as pairs,
    from pairs
    where first_work <> second_work
    group by first_work, second_work
    having count(*) >= {{ var('machine_fold_min_pairs') }}

)

select
    together.first_work,
    together.second_work,
    any_value(together.pairs) as pairs,
    list_sort(list(distinct sentences.fold)) as folds,
from together
inner join sentences
    on sentences.canonical_work in (together.first_work, together.second_work)
group by together.first_work, together.second_work
having count(distinct sentences.fold) > 1
