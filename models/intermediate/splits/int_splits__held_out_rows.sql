with

entered as (

    select * from {{ ref('int_splits__entered') }}

),

members as (

    select * from {{ ref('int_splits__track_members') }}
    where
        split_rule = 'held_out'
        and is_member

),

tracks as (

    select * from {{ ref('tracks') }}

),

-- one row per held-out track, scope and sentence: a matched track is tried in each project alone
scope_rows as (

    select
        members.track,
        case when tracks.is_matched then entered.treebank_source else 'all projects' end as scope,
        entered.sentence_number,
        entered.dedup_key,
        entered.author,
        entered.canonical_work,
        entered.treebank_source,
        entered.held_out_split_order,
        entered.surplus_order,
    from members
    inner join tracks on members.track = tracks.track
    inner join entered on members.author = entered.author

)

select * from scope_rows
