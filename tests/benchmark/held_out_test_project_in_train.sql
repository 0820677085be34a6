-- held-out-test-project-in-train: a project that annotated the test work also annotated training rows of
-- the author, so that the test asks for the author and not for the annotator. On a matched track that is
-- the one project of all rows.
with

annotated as (

    select distinct
        assignments.track,
        assignments.author,
        assignments.split,
        sentences.treebank_source as project,
        tracks.project as track_project,
    from {{ ref('benchmark_split_assignments') }} as assignments
    inner join {{ ref('benchmark_tracks') }} as tracks
        on
            assignments.track = tracks.track
            and tracks.split_rule = 'held_out'
    inner join {{ ref('hub_sentences') }} as sentences
        on assignments.sentence_id = sentences.sentence_id

),

shared as (

    select distinct
        tested.track,
        tested.author,
    from annotated as tested
    inner join annotated as trained
        on
            tested.track = trained.track
            and tested.author = trained.author
            and tested.project = trained.project
    where
        tested.split = 'test'
        and trained.split = 'train'

)

select distinct
    annotated.track,
    annotated.author,
    annotated.project,
from annotated
left join shared
    on
        annotated.track = shared.track
        and annotated.author = shared.author
where
    shared.author is null
    or annotated.project <> coalesce(annotated.track_project, annotated.project)
