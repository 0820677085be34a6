with recursive

parts as (

    select * from {{ ref('int_words__parts') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

-- one row per node of a sentence with a joined word
links as materialized (

    select
        trees.gid,
        trees.head_gid,
        trees.relation,
    from trees
    where trees.sentence_number in (select parts.gid // {{ var('token_key_factor') }} from parts)

),

-- one row per part and step of its way up to the root
steps as (

    select
        parts.gid,
        links.head_gid,
        1 as depth,
    from parts
    inner join links
        on parts.gid = links.gid
    union all
    select
        steps.gid,
        links.head_gid,
        steps.depth + 1 as depth,
    from steps
    inner join links
        on steps.head_gid = links.gid

),

-- one row per part, with its distance from the root
depths as (

    select
        gid,
        max(depth) as depth,
    from steps
    group by gid

),

-- one row per joined word: its outer part, and whether the part that stands for it hangs on another part of it
outer_parts as (

    select
        parts.word_gid,
        arg_min(parts.gid, depths.depth * 2 + (parts.gid <> parts.word_gid)::integer) as outer_gid,
        bool_or(parts.gid = parts.word_gid and head_parts.gid is not null) as hangs_inside,
    from parts
    inner join depths
        on parts.gid = depths.gid
    inner join links
        on parts.gid = links.gid
    left join parts as head_parts
        on
            links.head_gid = head_parts.gid
            and parts.word_gid = head_parts.word_gid
    group by parts.word_gid

)

select * from outer_parts
