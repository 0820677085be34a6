with

nodes as (

    select * from {{ ref('int_syntax__nodes') }}

),

-- one row per token with children: what its children carry
families as (

    select
        head_gid as gid,
        bool_or(ap > 0) as has_appositive,
        bool_or(node_class = 'function') as has_function_child,
        bool_or(co > 0 or base = 'PRED') as has_conjunct,
    from nodes
    where head_gid > 0
    group by head_gid

),

-- one row per token with children: the first role that fits
roles as (

    select
        nodes.gid,
        nodes.head_gid,
        nodes.base,
        nodes.co,
        nodes.ap,
        nodes.is_verb,
        case
            when nodes.base = 'AuxP' then 'preposition'
            when nodes.base = 'AuxC' then 'subordinator'
            when nodes.base = 'COORD' then 'coordination'
            when
                nodes.base = 'APOS' and (
                    nodes.is_editorial
                    or nodes.is_elliptic
                    or families.has_appositive
                    or (nodes.pos in ('d', 'c', 'g', 'b', 'i') and families.has_function_child)
                )
                then 'apposition'
            when nodes.is_elliptic then 'ellipsis'
            when
                nodes.base <> 'APOS'
                and families.has_conjunct
                and (
                    nodes.is_editorial
                    or nodes.pos in ('c', 'g', 'b', 'i', 'u', 'x', 'z', '-')
                    or (nodes.pos = 'd' and nodes.node_class = 'leaf')
                )
                then 'coordination'
            when nodes.is_copula_verb then 'copula'
        end as role,
    from nodes
    inner join families
        on nodes.gid = families.gid

),

-- one row per token that may be a function node
function_nodes as (

    select * from roles
    where role is not null

)

select * from function_nodes
