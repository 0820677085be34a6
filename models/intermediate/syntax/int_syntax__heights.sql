with recursive

roles as (

    select * from {{ ref('int_syntax__roles') }}

),

-- one row per function node and function node under it, with no other token between: child, parent
links as (

    select
        lower_nodes.gid,
        upper_nodes.gid as parent_gid,
    from roles as lower_nodes
    inner join roles as upper_nodes
        on lower_nodes.head_gid = upper_nodes.gid

),

-- one row per function node and length of a way down from it; one step beyond the passes says enough
ways as (

    select
        gid,
        1 as height,
    from roles

    union

    select
        links.parent_gid as gid,
        ways.height + 1 as height,
    from ways
    inner join links
        on ways.gid = links.gid
    where ways.height <= {{ var('max_function_height') }}

),

-- one row per function node
heights as (

    select
        gid,
        max(height)::integer as height,
    from ways
    group by gid

)

select * from heights
