-- track-built-or-explained: a track has rows in all four splits at all sizes, or it is listed with a reason
-- and has no row anywhere; nothing between.
with

tracks as (

    select
        tracks.track,
        chunk_sizes.chunk_target_size,
        splits.split,
    from {{ ref('tracks') }} as tracks
    cross join {{ ref('chunk_sizes') }} as chunk_sizes
    cross join (
        values ('train'), ('validation'), ('validation2'), ('test')
    ) as splits (split)

),

found as (

    select
        tracks.track,
        tracks.chunk_target_size,
        tracks.split,
        count(hub_rows.id) as found_rows,
        any_value(not_built.reason) as reason,
    from tracks
    left join {{ ref('hub_rows') }} as hub_rows
        on
            tracks.track = hub_rows.track
            and tracks.chunk_target_size = hub_rows.chunk_target_size
            and tracks.split = hub_rows.split
    left join {{ ref('benchmark_tracks_not_built') }} as not_built
        on tracks.track = not_built.track
    group by tracks.track, tracks.chunk_target_size, tracks.split

)

select *
from found
where (found_rows > 0) = (reason is not null)
