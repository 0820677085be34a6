with

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}

),

counting as (

    select * from {{ ref('int_dedup__near_duplicate_pairs') }}

),

-- one row per pair counted, with what came of it
pair_decisions as (

    select
        pairs.left_number,
        pairs.right_number,
        pairs.shared,
        pairs.left_size,
        pairs.right_size,
        pairs.rule,
        case
            when pairs.rule = 'quotation' then 'both_removed'
            when counting.sentence_number is not null then 'one_removed'
            when pairs.rule = 'near_duplicate' then 'void_after_quotation'
            when pairs.rule = 'same_project_repetition' then 'kept_same_project'
            else 'kept_below_threshold'
        end as decision,
        counting.sentence_number as removed_number,
    from pairs
    left join counting
        on
            pairs.left_number = least(counting.sentence_number, counting.partner_number)
            and pairs.right_number = greatest(counting.sentence_number, counting.partner_number)
    where pairs.shared > 0

)

select * from pair_decisions
