with

read_heads as (

    select * from {{ ref('int_syntax__read_heads') }}

),

-- one row per token with a head: the pointer one step up, and the first token it has passed
pointers as materialized (

    select
        gid,
        head_gid as target_gid,
        gid as first_gid,
    from read_heads
    where head_gid > 0

),

{{ pointer_doublings('pointers', smallest='first_gid') }},

-- one row per token on a cycle: its pointer has passed all of the cycle
cycles as (

    select
        gid,
        first_gid as cycle_gid,
        (count(*) over (partition by first_gid))::integer as cycle_length,
    from pointers_last
    where gid in (select upper_ends.target_gid from pointers_last as upper_ends)

)

select * from cycles
