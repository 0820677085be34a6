with

assignments as (

    select * from {{ ref('int_splits__assignments') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}

),

-- one row per track and published sentence
published as (

    select
        assignments.track,
        assignments.sentence_number,
        assignments.split,
        texts.dedup_key,
    from assignments
    inner join texts on assignments.sentence_number = texts.sentence_number
    where not assignments.is_remainder

),

-- one row per track and two places of the same letters in two splits, or of one sentence twice
same_letters as (

    select
        earlier.track,
        'same_letters' as finding,
        earlier.sentence_number as left_number,
        later.sentence_number as right_number,
        earlier.split as left_split,
        later.split as right_split,
        null::integer as shared,
    from published as earlier
    inner join published as later
        on
            earlier.track = later.track
            and earlier.dedup_key = later.dedup_key
            and earlier.split <> later.split
    where
        earlier.sentence_number < later.sentence_number
        or (
            earlier.sentence_number = later.sentence_number
            and earlier.split < later.split
        )

),

-- one row per track and pair of a removing rule whose sentences stand in two splits
same_passage as (

    select
        earlier.track,
        pairs.rule as finding,
        pairs.left_number,
        pairs.right_number,
        earlier.split as left_split,
        later.split as right_split,
        pairs.shared,
    from pairs
    inner join published as earlier on pairs.left_number = earlier.sentence_number
    inner join published as later
        on
            pairs.right_number = later.sentence_number
            and earlier.track = later.track
    where
        pairs.rule in ('quotation', 'near_duplicate')
        and earlier.split <> later.split

),

-- one row per violation
found as (

    select * from same_letters
    union all
    select * from same_passage

),

-- one row per violation, with the ids of its sentences
violations as (

    select
        found.track,
        found.finding,
        left_sentences.sentence_id,
        right_sentences.sentence_id as other_sentence_id,
        found.left_split as split,
        found.right_split as other_split,
        found.shared,
    from found
    inner join sentences as left_sentences
        on found.left_number = left_sentences.sentence_number
    inner join sentences as right_sentences
        on found.right_number = right_sentences.sentence_number
    order by found.track, found.left_number, found.right_number, found.finding

)

select * from violations
