with

heads as (

    select * from {{ ref('int_syntax__heads') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

-- one row per token that is not published: the step up from it
dropped as materialized (

    select
        heads.gid,
        heads.head_gid,
    from heads
    inner join text_tokens
        on heads.gid = text_tokens.gid
    where not text_tokens.is_published

),

{{ climb_doublings('dropped') }},

-- one row per published token whose head is dropped: its nearest published ancestor or the root
surviving_heads as (

    select
        heads.gid,
        dropped_last.head_gid,
        if(head_tokens.is_elliptic, 'ellipsis', 'editorial') as repair,
    from heads
    inner join text_tokens
        on heads.gid = text_tokens.gid
    inner join dropped_last
        on heads.head_gid = dropped_last.gid
    inner join text_tokens as head_tokens
        on heads.head_gid = head_tokens.gid
    where text_tokens.is_published

)

select * from surviving_heads
