with

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}
    where is_similar

),

published as (

    select * from {{ ref('int_splits__published') }}

),

-- one row per pair of published near-duplicates in two canonical works
similar_pairs as (

    select
        pairs.left_number,
        pairs.right_number,
        left_sentences.canonical_work as left_work,
        right_sentences.canonical_work as right_work,
    from pairs
    inner join published as left_sentences
        on pairs.left_number = left_sentences.sentence_number
    inner join published as right_sentences
        on pairs.right_number = right_sentences.sentence_number
    where left_sentences.canonical_work <> right_sentences.canonical_work

)

select * from similar_pairs
