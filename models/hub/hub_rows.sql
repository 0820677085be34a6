with

chunks as (

    select * from {{ ref('benchmark_chunks') }}

),

held_out_works as (

    select * from {{ ref('benchmark_held_out_works') }}

),

-- one row per row of a configuration
configuration_rows as (

    select
        chunks.configuration,
        chunks.track,
        chunks.chunk_target_size,
        chunks.split,
        chunks.chunk_id as id,
        chunks.author,
        chunks.chunk_size,
        chunks.constituent_ids,
        chunks.chunk_is_mixed_work,
        held_out_works.held_out_work,
        held_out_works.held_out_work_title,
        held_out_works.held_out_validation_work,
        held_out_works.held_out_validation_work_title,
        held_out_works.held_out_genre,
        held_out_works.held_out_group,
    from chunks
    left join held_out_works
        on
            chunks.track = held_out_works.track
            and chunks.author = held_out_works.author

)

select * from configuration_rows
order by configuration, split, id
