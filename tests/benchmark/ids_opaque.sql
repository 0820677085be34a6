-- ids-opaque: an id is a hash of what the row is made of and says nothing else: of its letters for a sentence, of its
-- sentences for a chunk. What is made of other sentences has another id.
with

-- one row per id that is published
published as (

    select
        id,
        's-' || left(dedup_key, 16) as expected,
        dedup_key as content,
    from {{ ref('hub_sentences') }}
    union all
    select
        chunk_id as id,
        if(
            chunk_target_size = 1,
            constituent_ids[1],
            'c-' || left(sha256(array_to_string(constituent_ids, '|')), 16)
        ) as expected,
        array_to_string(constituent_ids, '|') as content,
    from {{ ref('benchmark_chunks') }}
    where chunk_target_size > 1 or chunk_id <> constituent_ids[1]

)

select
    id,
    'expected ' || min(expected) as fault,
from published
where id <> expected or not regexp_full_match(id, '[sc]-[0-9a-f]{16}')
group by id
union all
select
    id,
    'of different rows' as fault,
from published
group by id
having count(distinct content) > 1
