-- author-present-or-explained: every author in the list of a track has rows on it, or is named with a
-- reason; never both.
with

members as (

    select
        track,
        author,
    from {{ ref('int_splits__track_members') }}

),

states as (

    select
        members.track,
        members.author,
        present.author is not null as is_present,
        absent.reason is not null as is_explained,
    from members
    left join {{ ref('benchmark_authors') }} as present
        on
            members.track = present.track
            and members.author = present.author
    left join {{ ref('benchmark_authors_absent') }} as absent
        on
            members.track = absent.track
            and members.author = absent.author

)

select *
from states
where is_present = is_explained
