with

tracks as (

    select * from {{ ref('tracks') }}

),

authors as (

    select * from {{ ref('benchmark_authors') }}

),

scopes as (

    select * from {{ ref('int_splits__held_out_scopes') }}
    where scope_rank = 1

),

-- one row per track with a published sentence
built as (

    select
        track,
        count(*) as authors,
        sum(published_rows)::bigint as published_rows,
        sum(train_rows)::bigint as train_rows,
        sum(validation_rows)::bigint as validation_rows,
        sum(validation2_rows)::bigint as validation2_rows,
        sum(test_rows)::bigint as test_rows,
        sum(remainder_rows)::bigint as remainder_rows,
    from authors
    group by track

),

-- one row per track, built or not
all_tracks as (

    select
        tracks.track,
        tracks.title,
        tracks.split_rule,
        tracks.is_matched,
        tracks.is_expected,
        built.track is not null as is_built,
        case when tracks.is_matched then scopes.scope end as project,
        coalesce(built.authors, 0) as authors,
        coalesce(built.published_rows, 0) as published_rows,
        coalesce(built.train_rows, 0) as train_rows,
        coalesce(built.validation_rows, 0) as validation_rows,
        coalesce(built.validation2_rows, 0) as validation2_rows,
        coalesce(built.test_rows, 0) as test_rows,
        coalesce(built.remainder_rows, 0) as remainder_rows,
        case
            when built.track is not null then null
            when tracks.split_rule = 'in_work' then 'no author of the track is retained'
            when scopes.track is null then 'no author of the track has a sentence that entered'
            when not tracks.is_matched then 'no author has a work that can be held out'
            else
                scopes.authors_qualified || ' of {{ var("held_out_min_authors") }} authors needed '
                || 'can spare a work in the best project, ' || scopes.scope
        end as not_built_reason,
        tracks.reason,
    from tracks
    left join built on tracks.track = built.track
    left join scopes on tracks.track = scopes.track

)

select * from all_tracks
order by track
