with recursive

pairs as (

    select * from {{ ref('int_dedup__near_duplicate_pairs') }}

),

{{ connected_members('pairs', 'sentence_number', 'partner_number') }},

-- one row per sentence in a near-duplicate pair
chains as (

    select
        member as sentence_number,
        first_member as chain_number,
    from connected

)

select * from chains
