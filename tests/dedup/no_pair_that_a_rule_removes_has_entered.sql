-- dedup-no-pair-entered: of what entered, no two sentences share a dedup key, a quotation, or a
-- near-duplicate across projects.
with

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}

),

-- one row per sentence that entered
entered as (

    select
        outcomes.sentence_number,
        texts.dedup_key,
    from outcomes
    inner join texts on outcomes.sentence_number = texts.sentence_number
    where outcomes.outcome = 'entered'

)

select
    'same letters' as finding,
    min(sentence_number) as left_number,
    max(sentence_number) as right_number,
from entered
group by dedup_key
having count(*) > 1

union all

select
    pairs.rule as finding,
    pairs.left_number,
    pairs.right_number,
from pairs
inner join entered as left_entered on pairs.left_number = left_entered.sentence_number
inner join entered as right_entered on pairs.right_number = right_entered.sentence_number
where pairs.rule in ('quotation', 'near_duplicate')
