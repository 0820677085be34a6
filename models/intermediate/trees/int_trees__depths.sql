with recursive

nodes as (

    select * from {{ ref('int_trees__nodes') }}

),

-- one row per sentence of a tree that is short enough to have been written as one
short_trees as (

    select
        tree,
        sentence_number,
    from nodes
    group by tree, sentence_number
    having count(*) <= 2 * {{ var('max_sentence_words') }}

),

-- one row per node of theirs with the node above it, null under the anchor and without a head
links as materialized (

    select
        nodes.tree,
        nodes.sentence_number,
        nodes.node_key,
        nodes.position,
        if(nodes.head > 0, nodes.head_key, null) as parent_key,
        coalesce(nodes.head = 0, false) as is_anchored,
    from nodes
    inner join short_trees
        on
            nodes.tree = short_trees.tree
            and nodes.sentence_number = short_trees.sentence_number

),

-- one row per node that can be reached from above: steps down from the anchor, or from a node without a head
levels as (

    select
        node_key,
        is_anchored::integer as depth,
        is_anchored,
    from links
    where parent_key is null
    union all
    select
        links.node_key,
        levels.depth + 1 as depth,
        levels.is_anchored,
    from levels
    inner join links
        on levels.node_key = links.parent_key

),

-- one row per node, the depth null where no way down leads to it: on or below a cycle
depths as (

    select
        links.tree,
        links.sentence_number,
        links.node_key,
        links.position,
        links.parent_key,
        levels.depth,
        coalesce(levels.is_anchored, false) as is_anchored,
    from links
    left join levels
        on links.node_key = levels.node_key

)

select * from depths
