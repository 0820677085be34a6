with

in_work as (

    select * from {{ ref('int_splits__in_work') }}

),

members as (

    select * from {{ ref('int_splits__track_members') }}

),

held_out_splits as (

    select * from {{ ref('int_splits__held_out_splits') }}

),

held_out_authors as (

    select * from {{ ref('int_splits__held_out_authors') }}

),

held_out_scopes as (

    select * from {{ ref('int_splits__held_out_scopes') }}

),

entered as (

    select * from {{ ref('int_splits__entered') }}

),

-- one row per in-work track and sentence of its authors: a matched track takes the main track's rows
in_work_assignments as (

    select
        members.track,
        in_work.sentence_number,
        in_work.author,
        in_work.canonical_work,
        in_work.split,
        in_work.is_remainder,
    from members
    inner join in_work on members.author = in_work.author
    where
        members.split_rule = 'in_work'
        and members.is_member

),

-- one row per held-out track that is built and sentence of its authors
held_out_assignments as (

    select
        held_out_splits.track,
        held_out_splits.sentence_number,
        held_out_splits.author,
        held_out_splits.canonical_work,
        held_out_splits.split,
        held_out_splits.is_remainder,
    from held_out_splits
    inner join held_out_scopes
        on
            held_out_splits.track = held_out_scopes.track
            and held_out_splits.scope = held_out_scopes.scope
    inner join held_out_authors
        on
            held_out_splits.track = held_out_authors.track
            and held_out_splits.scope = held_out_authors.scope
            and held_out_splits.author = held_out_authors.author
    where
        held_out_scopes.is_built
        and held_out_authors.is_qualified

),

-- one row per track and sentence of its authors
track_rows as (

    select * from in_work_assignments
    union all
    select * from held_out_assignments

),

-- the same, with the ids of the sentence
assignments as (

    select
        track_rows.track,
        track_rows.sentence_number,
        entered.sentence_id,
        entered.published_id,
        track_rows.author,
        track_rows.canonical_work,
        track_rows.split,
        track_rows.is_remainder,
    from track_rows
    inner join entered on track_rows.sentence_number = entered.sentence_number

)

select * from assignments
