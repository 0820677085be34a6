with recursive

heads as (

    select * from {{ ref('int_syntax__heads') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

-- one row per token that is not published: the step up from it
dropped as (

    select
        heads.gid,
        heads.head_gid,
        text_tokens.is_elliptic,
    from heads
    inner join text_tokens
        on heads.gid = text_tokens.gid
    where not text_tokens.is_published

),

-- one row per published token whose head is dropped, and step upwards
climbs as (

    select
        heads.gid,
        dropped.head_gid,
        if(dropped.is_elliptic, 'ellipsis', 'editorial') as repair,
    from heads
    inner join text_tokens
        on heads.gid = text_tokens.gid
    inner join dropped
        on heads.head_gid = dropped.gid
    where text_tokens.is_published

    union all

    select
        climbs.gid,
        dropped.head_gid,
        climbs.repair,
    from climbs
    inner join dropped
        on climbs.head_gid = dropped.gid

),

-- one row per published token whose head is dropped: its nearest published ancestor or the root
surviving_heads as (

    select
        climbs.gid,
        climbs.head_gid,
        climbs.repair,
    from climbs
    anti join dropped
        on climbs.head_gid = dropped.gid

)

select * from surviving_heads
