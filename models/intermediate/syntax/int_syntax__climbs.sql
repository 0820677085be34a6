with

nodes as (

    select * from {{ ref('int_syntax__nodes') }}

),

places as (

    select * from {{ ref('int_syntax__places') }}

),

-- one row per token that nothing may hang on: dropped without a replacement, or a bare function word
blocked as materialized (

    select
        nodes.gid,
        places.head_gid,
        if(places.is_bare, nodes.gid, 0) as top_bare_gid,
    from nodes
    inner join places
        on nodes.gid = places.gid
    where
        places.is_bare
        or (not nodes.is_published and not places.is_replaced)

),

{{ climb_doublings('blocked', topmost='top_bare_gid') }},

-- one row per published token that hangs on a blocked one: a free token, or the root and the topmost bare word below it
ends as (

    select
        places.gid,
        if(
            blocked_last.head_gid > 0,
            blocked_last.head_gid,
            blocked_last.top_bare_gid
        ) as head_gid,
    from places
    inner join nodes
        on places.gid = nodes.gid
    inner join blocked_last
        on places.head_gid = blocked_last.gid
    where nodes.is_published

)

select * from ends
