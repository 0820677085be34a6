-- machine-no-like-in-training: no two sentences reach the near-duplicate rule, or have the same letters, of which one
-- is parsed by a model that has learnt from the other. One row per such pair, looked up in the counted pairs and in the
-- keys anew.
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

training as (

    select * from {{ ref('int_machine__training') }}

),

withheld as (

    select * from {{ ref('int_machine__withheld') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

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

),

-- one row per training sentence and published sentence with the same letters
copies as (

    select
        sentences.sentence_number as parsed_number,
        training.sentence_number as other_number,
    from training
    inner join texts
        on training.sentence_number = texts.sentence_number
    inner join texts as published_texts
        on texts.dedup_key = published_texts.dedup_key
    inner join sentences
        on published_texts.sentence_number = sentences.sentence_number
    where training.sentence_number <> sentences.sentence_number

),

-- one row per pair of either kind
likes as (

    select * from sides
    union
    select * from copies

)

select
    parsed.fold,
    parsed.id as parsed_id,
    training.id as trained_id,
from likes
inner join sentences as parsed
    on likes.parsed_number = parsed.sentence_number
inner join training
    on
        likes.other_number = training.sentence_number
        and parsed.fold is distinct from training.fold
left join withheld
    on
        parsed.fold = withheld.fold
        and training.id = withheld.id
where withheld.id is null
