with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

disputed_passages as (

    select * from {{ ref('disputed_passages') }}

),

-- one row per disputed passage, with the keys of its ends where it is told by passages
bounds as (

    select
        canonical_work,
        path,
        from_place,
        to_place,
        note,
        case when path is null then {{ passage_key('from_place') }} end as from_key,
        case when path is null then {{ passage_key('to_place') }} end as to_key,
        case when path is not null then from_place::integer end as first_position,
        case when path is not null then to_place::integer end as last_position,
    from disputed_passages

),

-- one row per sentence of a work that has a disputed passage
places as (

    select
        sentence_number,
        canonical_work,
        path,
        position,
        {{ passage_key('passage') }} as place_key,
    from sentences
    where canonical_work in (select bounds.canonical_work from bounds)

),

-- one row per disputed passage and sentence in it
disputed_sentences as (

    select
        places.sentence_number,
        bounds.canonical_work,
        bounds.path,
        bounds.from_place,
        bounds.note,
    from places
    inner join bounds
        on
            places.canonical_work = bounds.canonical_work
            and (
                {{ is_within_passages('places.place_key', 'bounds.from_key', 'bounds.to_key') }}
                or (
                    places.path = bounds.path
                    and places.position between bounds.first_position and bounds.last_position
                )
            )

)

select * from disputed_sentences
