-- doublet-told: a sentence of a test work that repeats, at length, a training sentence of its author from another work
-- is in a doublet that the card names.
with

-- one row per pair of sentences of one author that say the same at length, in either direction
pairs as (

    select
        left_number as sentence_number,
        right_number as other_number,
    from {{ ref('int_dedup__shared_ngrams') }}
    where is_similar and is_same_author and shared >= {{ var('doublet_min_shared') }}
    union all
    select
        right_number as sentence_number,
        left_number as other_number,
    from {{ ref('int_dedup__shared_ngrams') }}
    where is_similar and is_same_author and shared >= {{ var('doublet_min_shared') }}

),

-- one row per held-out track and such a pair of which one is tested and the other, of another work, trained on
repeated as (

    select
        tested.track,
        tested.author,
        trained.canonical_work as other_canonical_work,
        tested.sentence_number,
    from pairs
    inner join {{ ref('int_splits__assignments') }} as tested on pairs.sentence_number = tested.sentence_number
    inner join {{ ref('int_splits__assignments') }} as trained
        on pairs.other_number = trained.sentence_number and tested.track = trained.track
    inner join {{ ref('benchmark_tracks') }} as tracks on tested.track = tracks.track
    where
        tracks.split_rule = 'held_out'
        and tested.split = 'test'
        and trained.split = 'train'
        and not tested.is_remainder
        and not trained.is_remainder
        and tested.canonical_work <> trained.canonical_work

)

select
    repeated.track,
    repeated.author,
    sentences.sentence_id,
    works.title as other_work,
from repeated
inner join {{ ref('int_catalogue__sentences') }} as sentences on repeated.sentence_number = sentences.sentence_number
inner join {{ ref('works') }} as works on repeated.other_canonical_work = works.canonical_work
left join {{ ref('hub_doublets') }} as told
    on
        repeated.track = told.track
        and repeated.author = told.author
        and works.title = told.train_work
        and {{ is_within_passages(
            passage_key('sentences.passage'), passage_key('told.test_from_place'), passage_key('told.test_to_place')
        ) }}
where told.track is null
