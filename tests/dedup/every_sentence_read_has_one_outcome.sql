-- dedup-one-outcome: the outcomes add up to the sentences read.
with

counts as (

    select
        (select count(*) from {{ ref('int_catalogue__sentences') }}) as sentences_read,
        (select count(*) from {{ ref('int_dedup__outcomes') }}) as outcomes,
        (select count(distinct sentence_number) from {{ ref('int_dedup__outcomes') }}) as with_outcome,

)

select * from counts
where sentences_read <> outcomes or sentences_read <> with_outcome
