with

chains as (

    select * from {{ ref('int_dedup__chains') }}

),

pairs as (

    select * from {{ ref('int_dedup__near_duplicate_pairs') }}

),

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

-- one row per chain: its pairs
pair_counts as (

    select
        chains.chain_number,
        count(*)::integer as pairs,
    from pairs
    inner join chains on pairs.sentence_number = chains.sentence_number
    group by chains.chain_number

),

-- one row per chain
near_duplicate_chains as (

    select
        min_by(sentences.sentence_id, sentences.sentence_number) as first_sentence_id,
        min(sentences.author) as author,
        count(*)::integer as sentences,
        min(pair_counts.pairs)::integer as pairs,
        sum(case when outcomes.outcome = 'near_duplicate' then 1 else 0 end)::integer as removed,
        list_sort(list(distinct sentences.project)) as projects,
        list(sentences.sentence_id order by sentences.sentence_number) as sentence_ids,
    from chains
    inner join pair_counts on chains.chain_number = pair_counts.chain_number
    inner join outcomes on chains.sentence_number = outcomes.sentence_number
    inner join sentences on chains.sentence_number = sentences.sentence_number
    group by chains.chain_number
    order by count(*) desc, chains.chain_number asc

)

select * from near_duplicate_chains
