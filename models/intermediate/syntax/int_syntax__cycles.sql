with recursive

read_heads as (

    select * from {{ ref('int_syntax__read_heads') }}

),

-- one row per token with a head: the pointer one step up
pointers as materialized (

    select
        gid,
        head_gid as target_gid,
    from read_heads
    where head_gid > 0

),

{{ pointer_doublings('pointers', 8) }},

-- one row per token that may stand on a cycle
suspects as (

    select distinct target_gid as gid from pointers_8

),

-- one row per suspect and token above it; `union` keeps each pair once, so the walk ends
reached as (

    select
        suspects.gid,
        pointers.target_gid,
    from suspects
    inner join pointers
        on suspects.gid = pointers.gid

    union

    select
        reached.gid,
        pointers.target_gid,
    from reached
    inner join pointers
        on reached.target_gid = pointers.gid

),

-- one row per token on a cycle: it reaches itself, and everything it reaches is its cycle
cycles as (

    select
        gid,
        min(target_gid) as cycle_gid,
        count(*)::integer as cycle_length,
    from reached
    group by gid
    having bool_or(target_gid = gid)

)

select * from cycles
