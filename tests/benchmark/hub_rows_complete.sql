-- hub-rows-complete: every row of a configuration has an id of its own, an author and sentences that are
-- published under that author, and the held-out columns exactly on held-out tracks.
with

row_sentences as (

    select
        hub_rows.configuration,
        hub_rows.id,
        hub_rows.author,
        count(members.id) as members,
        count(sentences.id) as found,
    from {{ ref('hub_rows') }} as hub_rows
    cross join unnest(hub_rows.constituent_ids) as members (id)
    left join {{ ref('hub_sentences') }} as sentences
        on
            members.id = sentences.id
            and hub_rows.author = sentences.author
    group by hub_rows.configuration, hub_rows.id, hub_rows.author

)

select
    'sentence of a row is not published under its author' as problem,
    configuration,
    id,
from row_sentences
where members <> found
union all
select
    'id occurs twice' as problem,
    configuration,
    id,
from {{ ref('hub_rows') }}
group by configuration, id
having count(*) > 1
union all
select
    'held-out columns' as problem,
    hub_rows.configuration,
    hub_rows.id,
from {{ ref('hub_rows') }} as hub_rows
inner join {{ ref('benchmark_tracks') }} as tracks on hub_rows.track = tracks.track
where
    (hub_rows.held_out_work is not null and hub_rows.held_out_group is not null)
    <> (tracks.split_rule = 'held_out')
