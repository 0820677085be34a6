-- split-disjoint-near-duplicates: two sentences of different authors of which one quotes the other never
-- stand in two splits of a track; both were removed.
with

pairs as (

    select
        left_sentences.sentence_id as left_id,
        right_sentences.sentence_id as right_id,
    from {{ ref('int_dedup__shared_ngrams') }} as pairs
    inner join {{ ref('int_catalogue__sentences') }} as left_sentences
        on pairs.left_number = left_sentences.sentence_number
    inner join {{ ref('int_catalogue__sentences') }} as right_sentences
        on pairs.right_number = right_sentences.sentence_number
    where
        left_sentences.author <> right_sentences.author
        and pairs.shared >= {{ var('quotation_min_shared') }}
        and pairs.shared
        >= {{ var('quotation_min_share') }} * least(pairs.left_size, pairs.right_size)

)

select
    left_assignments.track,
    pairs.left_id,
    left_assignments.split as left_split,
    pairs.right_id,
    right_assignments.split as right_split,
from pairs
inner join {{ ref('benchmark_split_assignments') }} as left_assignments
    on pairs.left_id = left_assignments.sentence_id
inner join {{ ref('benchmark_split_assignments') }} as right_assignments
    on
        pairs.right_id = right_assignments.sentence_id
        and left_assignments.track = right_assignments.track
        and left_assignments.split <> right_assignments.split
