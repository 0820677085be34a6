with

tracks as (

    select * from {{ ref('benchmark_tracks') }}
    where not is_built

),

scopes as (

    select * from {{ ref('int_splits__held_out_scopes') }}

),

-- one row per track: what was tried, project by project
attempts as (

    select
        track,
        string_agg(
            scope || ': ' || authors_qualified || ' of ' || authors || ' authors, '
            || scope_rows || ' rows',
            '; ' order by scope_rank
        ) as attempts,
    from scopes
    group by track

),

-- one row per track that is not built
tracks_not_built as (

    select
        tracks.track,
        tracks.split_rule,
        tracks.is_expected,
        tracks.project,
        tracks.not_built_reason as reason,
        attempts.attempts,
    from tracks
    left join attempts on tracks.track = attempts.track

)

select * from tracks_not_built
order by track
