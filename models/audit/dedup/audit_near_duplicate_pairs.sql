with

pairs as (

    select * from {{ ref('int_dedup__pair_decisions') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_words__sentences') }}

),

-- one row per pair counted, with what came of it
near_duplicate_pairs as (

    select
        left_sentences.sentence_id,
        right_sentences.sentence_id as other_sentence_id,
        left_sentences.author,
        right_sentences.author as other_author,
        left_sentences.project,
        right_sentences.project as other_project,
        left_sentences.canonical_work,
        right_sentences.canonical_work as other_canonical_work,
        pairs.shared,
        pairs.left_size as set_size,
        pairs.right_size as other_set_size,
        pairs.shared / least(pairs.left_size, pairs.right_size)::double as share_of_smaller,
        pairs.rule,
        pairs.decision,
        removed_sentences.sentence_id as removed_sentence_id,
        left_texts.text,
        right_texts.text as other_text,
    from pairs
    inner join sentences as left_sentences
        on pairs.left_number = left_sentences.sentence_number
    inner join sentences as right_sentences
        on pairs.right_number = right_sentences.sentence_number
    inner join texts as left_texts
        on pairs.left_number = left_texts.sentence_number
    inner join texts as right_texts
        on pairs.right_number = right_texts.sentence_number
    left join sentences as removed_sentences
        on pairs.removed_number = removed_sentences.sentence_number
    order by pairs.left_number, pairs.right_number

)

select * from near_duplicate_pairs
