-- held-out-letters-not-in-train: no sentence of a test work has the letters of a training sentence of
-- anybody on the track.
with

test_keys as (

    select distinct
        assignments.track,
        sentences.dedup_key,
    from {{ ref('benchmark_split_assignments') }} as assignments
    inner join {{ ref('benchmark_held_out_works') }} as works
        on
            assignments.track = works.track
            and assignments.canonical_work = works.held_out_work
    inner join {{ ref('hub_sentences') }} as sentences
        on assignments.sentence_id = sentences.sentence_id

)

select
    assignments.track,
    assignments.author,
    assignments.published_id,
from {{ ref('benchmark_split_assignments') }} as assignments
inner join {{ ref('hub_sentences') }} as sentences
    on assignments.sentence_id = sentences.sentence_id
inner join test_keys
    on
        assignments.track = test_keys.track
        and sentences.dedup_key = test_keys.dedup_key
where assignments.split = 'train'
