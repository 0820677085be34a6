-- chunk-mixed-marked-and-last: a chunk is marked as mixed exactly when its sentences come from several
-- works, and stands after the whole chunks of its author and split.
with

works as (

    select
        chunks.configuration,
        chunks.author,
        chunks.split,
        chunks.chunk_number,
        chunks.chunk_is_mixed_work,
        count(distinct sentences.canonical_work) as works,
    from {{ ref('benchmark_chunks') }} as chunks
    cross join unnest(chunks.constituent_ids) as members (id)
    inner join {{ ref('hub_sentences') }} as sentences on members.id = sentences.id
    group by all

),

placed as (

    select
        *,
        max(case when not chunk_is_mixed_work then chunk_number end) over (
            partition by configuration, author, split
        ) as last_whole_chunk,
    from works

)

select *
from placed
where
    chunk_is_mixed_work is distinct from (works > 1)
    or (chunk_is_mixed_work and chunk_number < last_whole_chunk)
