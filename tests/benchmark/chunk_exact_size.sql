-- chunk-exact-size: every chunk has exactly as many different sentences as its configuration says.
select
    configuration,
    chunk_id,
    chunk_size,
    len(constituent_ids) as constituents,
from {{ ref('benchmark_chunks') }}
where
    chunk_size <> chunk_target_size
    or len(constituent_ids) <> chunk_target_size
    or len(list_distinct(constituent_ids)) <> chunk_target_size
