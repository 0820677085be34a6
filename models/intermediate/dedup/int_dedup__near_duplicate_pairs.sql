with

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}

),

quotations as (

    select * from {{ ref('int_dedup__quotations') }}

),

chosen as (

    select * from {{ ref('int_dedup__chosen_sentences') }}

),

-- one row per pair that reaches the thresholds and of which neither went as a quotation
counting as (

    select
        pairs.left_number,
        pairs.right_number,
        pairs.shared,
        pairs.left_size,
        pairs.right_size,
        left_chosen.source_priority > right_chosen.source_priority as is_left_removed,
    from pairs
    inner join chosen as left_chosen
        on pairs.left_number = left_chosen.sentence_number
    inner join chosen as right_chosen
        on pairs.right_number = right_chosen.sentence_number
    where
        pairs.rule = 'near_duplicate'
        and pairs.left_number not in (select quotations.sentence_number from quotations)
        and pairs.right_number not in (select quotations.sentence_number from quotations)

),

-- one row per counting pair: the sentence it removes, and the one of better source priority
near_duplicate_pairs as (

    select
        case when is_left_removed then left_number else right_number end as sentence_number,
        case when is_left_removed then right_number else left_number end as partner_number,
        shared,
        case when is_left_removed then left_size else right_size end as set_size,
        case when is_left_removed then right_size else left_size end as partner_size,
    from counting

)

select * from near_duplicate_pairs
