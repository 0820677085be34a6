with

doublets as (

    select * from {{ ref('doublets') }}

),

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where not is_remainder

),

tracks as (

    select * from {{ ref('benchmark_tracks') }}
    where split_rule = 'held_out'

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

works as (

    select * from {{ ref('works') }}

),

-- one row per doublet and side of it, with the ends of its passage
sides as (

    select
        canonical_work || from_place || other_canonical_work || other_from_place as doublet,
        canonical_work,
        from_place,
        to_place,
        reason,
    from doublets
    union all
    select
        canonical_work || from_place || other_canonical_work || other_from_place as doublet,
        other_canonical_work as canonical_work,
        other_from_place as from_place,
        other_to_place as to_place,
        reason,
    from doublets

),

-- one row per side, with the ends of its passage as keys
keyed as (

    select
        *,
        {{ passage_key('from_place') }} as from_key,
        {{ passage_key('to_place') }} as to_key,
    from sides

),

-- one row per sentence of these works that is published on a held-out track
published as (

    select
        assignments.track,
        assignments.author,
        assignments.canonical_work,
        assignments.split,
        {{ passage_key('sentences.passage') }} as place_key,
    from assignments
    inner join tracks on assignments.track = tracks.track
    inner join sentences on assignments.sentence_number = sentences.sentence_number
    where assignments.canonical_work in (select sides.canonical_work from sides)

),

-- one row per held-out track, side of a doublet and split that has sentences of it
places as (

    select
        published.track,
        published.author,
        published.split,
        keyed.doublet,
        works.title as work,
        keyed.from_place,
        keyed.to_place,
        keyed.reason,
        count(*)::bigint as sentences,
    from published
    inner join keyed
        on
            published.canonical_work = keyed.canonical_work
            and {{ is_within_passages('published.place_key', 'keyed.from_key', 'keyed.to_key') }}
    inner join works on keyed.canonical_work = works.canonical_work
    group by
        published.track, published.author, published.split,
        keyed.doublet, works.title, keyed.from_place, keyed.to_place, keyed.reason

),

-- one row per held-out track and doublet of which it tests one passage and trains on the other
divided as (

    select
        tested.track,
        tested.author,
        tested.work as test_work,
        tested.from_place as test_from_place,
        tested.to_place as test_to_place,
        tested.sentences as test_sentences,
        trained.work as train_work,
        trained.from_place as train_from_place,
        trained.to_place as train_to_place,
        trained.sentences as train_sentences,
        tested.reason,
    from places as tested
    inner join places as trained
        on
            tested.track = trained.track
            and tested.author = trained.author
            and tested.doublet = trained.doublet
            and tested.work <> trained.work
    where
        tested.split = 'test'
        and trained.split = 'train'

)

select * from divided
order by track, author, test_work, {{ natural_order('test_from_place') }}, test_from_place, train_work, train_from_place
