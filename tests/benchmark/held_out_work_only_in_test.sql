-- held-out-work-only-in-test: on a held-out track, every row of a test work is test, and every test row is
-- of the author's test work.
select
    assignments.track,
    assignments.author,
    assignments.canonical_work,
    assignments.split,
    assignments.published_id,
from {{ ref('benchmark_split_assignments') }} as assignments
inner join {{ ref('benchmark_tracks') }} as tracks
    on
        assignments.track = tracks.track
        and tracks.split_rule = 'held_out'
left join {{ ref('benchmark_held_out_works') }} as works
    on
        assignments.track = works.track
        and assignments.canonical_work = works.held_out_work
where
    (assignments.split = 'test') is distinct from (works.held_out_work is not null)
    or works.author <> assignments.author
