with

tracks as (

    select * from {{ ref('tracks') }}

),

track_authors as (

    select * from {{ ref('track_authors') }}

),

authors as (

    select * from {{ ref('int_splits__in_work_authors') }}

),

-- one row per track and author whom the list of the track names, by `*` or by name
named as (

    select
        track_authors.track,
        authors.author,
    from track_authors
    cross join authors
    where
        track_authors.author = '*'
        and track_authors.decision = 'include'

    union

    select
        track,
        author,
    from track_authors
    where author <> '*'

),

-- one row per track and author, with what keeps the author out before any split is made
members as (

    select
        tracks.track,
        tracks.split_rule,
        named.author,
        case
            when exclusions.author is not null then exclusions.reason
            when authors.author is null then 'no sentence of this author entered'
            when not authors.is_retained then authors.reason
        end as reason,
    from named
    inner join tracks on named.track = tracks.track
    left join authors on named.author = authors.author
    left join track_authors as exclusions
        on
            named.track = exclusions.track
            and named.author = exclusions.author
            and exclusions.decision = 'exclude'

),

-- one row per track and author
verdicts as (

    select
        track,
        split_rule,
        author,
        reason is null as is_member,
        reason,
    from members

)

select * from verdicts
