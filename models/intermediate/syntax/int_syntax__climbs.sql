with recursive

nodes as (

    select * from {{ ref('int_syntax__nodes') }}

),

places as (

    select * from {{ ref('int_syntax__places') }}

),

-- one row per token that nothing may hang on: dropped without a replacement, or a bare function word
blocked as (

    select
        nodes.gid,
        places.head_gid,
        places.is_bare,
    from nodes
    inner join places
        on nodes.gid = places.gid
    where
        places.is_bare
        or (not nodes.is_published and not places.is_replaced)

),

-- one row per published token that hangs on a blocked one, and step upwards
climbs as (

    select
        places.gid,
        blocked.head_gid,
        if(blocked.is_bare, blocked.gid, 0) as top_bare_gid,
    from places
    inner join nodes
        on places.gid = nodes.gid
    inner join blocked
        on places.head_gid = blocked.gid
    where nodes.is_published

    union all

    select
        climbs.gid,
        blocked.head_gid,
        if(blocked.is_bare, blocked.gid, climbs.top_bare_gid) as top_bare_gid,
    from climbs
    inner join blocked
        on climbs.head_gid = blocked.gid

),

-- one row per climb at its end: a free token, or the root and the topmost bare word below it
ends as (

    select
        climbs.gid,
        if(climbs.head_gid > 0, climbs.head_gid, climbs.top_bare_gid) as head_gid,
    from climbs
    anti join blocked
        on climbs.head_gid = blocked.gid

)

select * from ends
