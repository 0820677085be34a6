-- split-validation2-apart: what chooses among combinations (validation2) shares no sentence and no letters
-- with what trains or selects single models (train, validation), at any size of the track.
with

constituents as (

    select distinct
        chunks.track,
        chunks.split = 'validation2' as is_validation2,
        sentences.dedup_key,
    from {{ ref('benchmark_chunks') }} as chunks
    cross join unnest(chunks.constituent_ids) as members (id)
    inner join {{ ref('hub_sentences') }} as sentences on members.id = sentences.id
    where chunks.split <> 'test'

)

select
    track,
    dedup_key,
from constituents
group by track, dedup_key
having count(*) > 1
