-- engine:duckdb (`using key` keeps one row per sentence, so that a long chain costs no more than its pairs)
with recursive

pairs as (

    select * from {{ ref('int_dedup__near_duplicate_pairs') }}

),

-- one row per sentence and sentence it makes a near-duplicate pair with
sides as (

    select
        sentence_number,
        partner_number,
    from pairs
    union all
    select
        partner_number as sentence_number,
        sentence_number as partner_number,
    from pairs

),

-- one row per sentence: the lowest sentence number that a chain of pairs leads to
reached (sentence_number, chain_number) using key (sentence_number) as (

    select
        sentence_number,
        min(least(sentence_number, partner_number)) as chain_number,
    from sides
    group by sentence_number
    union
    select
        sides.sentence_number,
        min(reached.chain_number) as chain_number,
    from reached
    inner join sides on reached.sentence_number = sides.partner_number
    inner join recurring.reached as known on sides.sentence_number = known.sentence_number
    where reached.chain_number < known.chain_number
    group by sides.sentence_number

),

-- one row per sentence in a near-duplicate pair
final as (

    select
        sentence_number,
        chain_number,
    from reached

)

select * from final
