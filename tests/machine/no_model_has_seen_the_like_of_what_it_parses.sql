-- machine-no-like-in-training: no two published sentences reach the near-duplicate rule of which one is parsed by a
-- model that has learnt from the other. One row per such pair, looked up in the counted pairs anew.
with

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}
    where
        shared >= {{ var('near_duplicate_min_shared') }}
        and shared >= {{ var('near_duplicate_min_share') }} * least(left_size, right_size)

),

sentences as (

    select * from {{ ref('int_machine__sentences') }}

),

-- one row per sentence and similar sentence, in both directions
sides as (

    select
        left_number as parsed_number,
        right_number as other_number,
    from pairs
    union all
    select
        right_number as parsed_number,
        left_number as other_number,
    from pairs

)

select
    parsed.fold,
    parsed.id as parsed_id,
    trained.id as trained_id,
from sides
inner join sentences as parsed
    on sides.parsed_number = parsed.sentence_number
inner join sentences as trained
    on
        sides.other_number = trained.sentence_number
        and parsed.fold <> trained.fold
        and trained.is_training
left join {{ ref('int_machine__withheld') }} as withheld
    on
        parsed.fold = withheld.fold
        and trained.id = withheld.id
where withheld.id is null
