with

chosen as (

    select * from {{ ref('int_dedup__chosen_sentences') }}

),

quotations as (

    select * from {{ ref('int_dedup__quotations') }}

),

near_duplicates as (

    select * from {{ ref('int_dedup__near_duplicates') }}

),

-- one row per sentence that still stands between two near-duplicates and stands for no other
fragments as (

    select
        chosen.sentence_number,
        chosen.previous_number,
        chosen.next_number,
    from chosen
    inner join near_duplicates as previous_removed
        on chosen.previous_number = previous_removed.sentence_number
    inner join near_duplicates as next_removed
        on chosen.next_number = next_removed.sentence_number
    where
        chosen.sentence_number not in (select quotations.sentence_number from quotations)
        and chosen.sentence_number not in (
            select near_duplicates.sentence_number from near_duplicates
        )
        and chosen.sentence_number not in (
            select near_duplicates.survivor_number from near_duplicates
        )

)

select * from fragments
