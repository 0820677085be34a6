with

nodes as (

    select * from {{ ref('int_syntax__nodes') }}

),

roles as (

    select * from {{ ref('int_syntax__roles') }}

),

heights as (

    select * from {{ ref('int_syntax__heights') }}

),

-- one row per child of a function node
candidates as (

    select
        nodes.gid,
        parents.gid as parent_gid,
        parents.role as parent_role,
        parents.has_members,
        parents.takes_argument,
        heights.height as parent_height,
        coalesce(own.stands_for_clause, false) as stands_for_clause,
        nodes.base,
        nodes.co,
        nodes.ap,
        nodes.is_verb,
        nodes.is_light,
        nodes.is_argument,
        nodes.is_published
        and not (nodes.node_class = 'function' and not nodes.is_content) as stands_alone,
    from nodes
    inner join roles as parents
        on nodes.head_gid = parents.gid
    inner join heights
        on parents.gid = heights.gid
    left join roles as own
        on nodes.gid = own.gid

)

select * from candidates
