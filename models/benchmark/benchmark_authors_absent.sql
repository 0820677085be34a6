with

members as (

    select * from {{ ref('int_splits__track_members') }}

),

tracks as (

    select * from {{ ref('benchmark_tracks') }}

),

on_track as (

    select * from {{ ref('benchmark_authors') }}

),

in_work_authors as (

    select * from {{ ref('int_splits__in_work_authors') }}

),

scopes as (

    select * from {{ ref('int_splits__held_out_scopes') }}
    where scope_rank = 1

),

held_out_authors as (

    select * from {{ ref('int_splits__held_out_authors') }}

),

-- one row per track and author in its list without a published row on it
absences as (

    select
        members.track,
        members.author,
        tracks.project,
        coalesce(in_work_authors.entered_rows, 0) as entered_rows,
        coalesce(
            members.reason,
            held_out_authors.reason,
            case
                when held_out_authors.author is null
                    then 'no sentence in the project of the track, ' || tracks.project
                else 'the track is not built: ' || tracks.not_built_reason
            end
        ) as reason,
    from members
    inner join tracks on members.track = tracks.track
    left join on_track
        on
            members.track = on_track.track
            and members.author = on_track.author
    left join in_work_authors on members.author = in_work_authors.author
    left join scopes on members.track = scopes.track
    left join held_out_authors
        on
            scopes.track = held_out_authors.track
            and scopes.scope = held_out_authors.scope
            and members.author = held_out_authors.author
    where on_track.author is null

)

select * from absences
order by track, author
