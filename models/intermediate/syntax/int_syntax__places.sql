with

nodes as (

    select * from {{ ref('int_syntax__nodes') }}

),

roles as (

    select * from {{ ref('int_syntax__roles') }}

),

choices as (

    select * from {{ ref('int_syntax__choices') }}

),

-- one row per word at the bottom of a chain: the function node at its top
chain_tops as (

    select
        choices.rep_gid as gid,
        choices.gid as top_gid,
    from choices
    anti join choices as upper_choices
        on choices.gid = upper_choices.sub_gid

),

-- one row per token: the top of its chain (itself without a chain), and what it is
tops as (

    select
        nodes.gid,
        coalesce(chain_tops.top_gid, nodes.gid) as top_gid,
        choices.rep_gid,
        choices.gid is null
        and nodes.is_published
        and not nodes.is_content
        and (
            nodes.node_class = 'function'
            or coalesce(roles.is_function_word, false)
        ) as is_bare,
    from nodes
    left join chain_tops
        on nodes.gid = chain_tops.gid
    left join choices
        on nodes.gid = choices.gid
    left join roles
        on nodes.gid = roles.gid

),

-- one row per token: where it hangs before anything is dropped
places as (

    select
        tops.gid,
        tops.top_gid,
        tops.is_bare,
        tops.rep_gid is not null as is_replaced,
        case
            when tops.rep_gid is not null then tops.rep_gid
            when top_nodes.head_gid = 0 then 0
            else coalesce(above.rep_gid, top_nodes.head_gid)
        end as head_gid,
    from tops
    inner join nodes as top_nodes
        on tops.top_gid = top_nodes.gid
    left join choices as above
        on top_nodes.head_gid = above.gid

)

select * from places
