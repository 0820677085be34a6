-- annotator-told: an author on a held-out track whose test and training works have no annotator in common is one of
-- those whom the card names, and no other is.
with

-- one row per held-out track, author and annotator, null for no name: whether both a test and a training row are theirs
shared as (

    select
        assignments.track,
        assignments.author,
        named.annotator,
        bool_or(assignments.split = 'test') and bool_or(assignments.split = 'train') as is_common,
    from {{ ref('benchmark_split_assignments') }} as assignments
    inner join {{ ref('benchmark_held_out_works') }} as held_out
        on assignments.track = held_out.track and assignments.author = held_out.author
    inner join {{ ref('corpus_source_records') }} as records
        on assignments.sentence_id = records.record_id
    left join unnest(records.annotators) as named (annotator) on true
    group by assignments.track, assignments.author, named.annotator

),

-- one row per held-out track and author without a common annotator
apart as (

    select
        track,
        author,
    from shared
    group by track, author
    having not coalesce(bool_or(is_common and annotator is not null), false)

)

select
    coalesce(apart.track, told.track) as track,
    coalesce(apart.author, told.author) as author,
    if(apart.author is null, 'told without need', 'not told') as fault,
from apart
full join {{ ref('hub_annotators_apart') }} as told
    on apart.track = told.track and apart.author = told.author
where
    apart.author is null
    or told.author is null
