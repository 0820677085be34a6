with

tracks as (

    select * from {{ ref('benchmark_tracks') }}

),

chunk_sizes as (

    select * from {{ ref('chunk_sizes') }}

),

chunks as (

    select * from {{ ref('benchmark_chunks') }}

),

-- one row per configuration with a row
built as (

    select
        configuration,
        count(*) as row_count,
    from chunks
    group by configuration

),

-- one row per configuration, built or not
configurations as (

    select
        tracks.track || '_' || chunk_sizes.chunk_target_size as configuration,
        tracks.track,
        chunk_sizes.chunk_target_size as size,
        tracks.is_expected,
        built.configuration is not null as is_built,
        tracks.not_built_reason as reason,
        coalesce(built.row_count, 0) as rows,
    from tracks
    cross join chunk_sizes
    left join built
        on tracks.track || '_' || chunk_sizes.chunk_target_size = built.configuration

)

select * from configurations
order by track, size
