-- split-disjoint-ids: a sentence stands once on a track, so its splits have no id in common.
with

keys as (

    select
        track,
        published_id as key,
    from {{ ref('benchmark_split_assignments') }}
    union all
    select
        track,
        sentence_id as key,
    from {{ ref('benchmark_split_assignments') }}

)

select
    track,
    key,
    count(*) as rows_with_key,
from keys
group by track, key
having count(*) > 1
