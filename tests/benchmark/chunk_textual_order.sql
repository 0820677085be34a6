-- chunk-textual-order: through the chunks of an author and split, the sentences of one work follow in
-- textual order, and the works in the order of their ids.
with

places as (

    select
        chunks.configuration,
        chunks.author,
        chunks.split,
        chunks.chunk_number,
        chunks.chunk_is_mixed_work,
        chunks.constituent_ids,
        unnest(chunks.constituent_ids) as id,
        generate_subscripts(chunks.constituent_ids, 1) as place,
    from {{ ref('benchmark_chunks') }} as chunks
    where chunks.chunk_target_size > 1

),

ordered as (

    select
        places.configuration,
        places.author,
        places.split,
        places.chunk_number,
        places.place,
        row_number() over (
            partition by places.configuration, places.author, places.split
            order by places.chunk_number, places.place
        ) as found_rank,
        row_number() over (
            partition by places.configuration, places.author, places.split
            order by places.chunk_is_mixed_work, entered.canonical_work, entered.text_rank
        ) as expected_rank,
    from places
    inner join {{ ref('hub_sentences') }} as sentences on places.id = sentences.id
    inner join {{ ref('int_splits__entered') }} as entered
        on sentences.sentence_number = entered.sentence_number

)

select *
from ordered
where found_rank <> expected_rank
