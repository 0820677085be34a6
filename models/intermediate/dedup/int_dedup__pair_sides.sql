with

pairs as (

    select * from {{ ref('int_dedup__pair_decisions') }}

),

quotations as (

    select * from {{ ref('int_dedup__quotations') }}

),

near_duplicates as (

    select * from {{ ref('int_dedup__near_duplicates') }}

),

-- one row per pair, seen from either of its sentences
sides as (

    select
        left_number as sentence_number,
        right_number as other_number,
        left_size as set_size,
        right_size as other_size,
        shared,
        rule,
        decision,
    from pairs
    union all
    select
        right_number as sentence_number,
        left_number as other_number,
        right_size as set_size,
        left_size as other_size,
        shared,
        rule,
        decision,
    from pairs

),

-- one row per pair and sentence of it, with whether the pair decided about that sentence
pair_sides as (

    select
        sides.sentence_number,
        sides.other_number,
        sides.set_size,
        sides.other_size,
        sides.shared,
        sides.rule,
        sides.decision,
        quotations.partner_number is not null or near_duplicates.partner_number is not null as is_deciding,
    from sides
    left join quotations
        on
            sides.sentence_number = quotations.sentence_number
            and sides.other_number = quotations.partner_number
    left join near_duplicates
        on
            sides.sentence_number = near_duplicates.sentence_number
            and sides.other_number = near_duplicates.partner_number

)

select * from pair_sides
