with recursive

links as (

    select * from {{ ref('int_trees__depths') }}

),

-- one row per node on or below a cycle
unreached as materialized (

    select * from links
    where depth is null

),

-- one row per node and node above it, at any distance
descents as (

    select
        links.node_key,
        links.parent_key as ancestor_key,
    from links
    where
        links.depth is not null
        and links.parent_key is not null
    union all
    select
        descents.node_key,
        links.parent_key as ancestor_key,
    from descents
    inner join links
        on descents.ancestor_key = links.node_key
    where links.parent_key is not null

),

-- the same for the nodes on or below a cycle, where the way up never ends: each pair once
circles as (

    select
        node_key,
        parent_key as ancestor_key,
    from unreached
    union
    select
        circles.node_key,
        unreached.parent_key as ancestor_key,
    from circles
    inner join unreached
        on circles.ancestor_key = unreached.node_key

),

-- one row per node and node of its subtree, itself included
pairs as materialized (

    select
        node_key,
        ancestor_key,
    from descents
    union all
    select
        node_key,
        ancestor_key,
    from circles
    where node_key <> ancestor_key
    union all
    select
        node_key,
        node_key as ancestor_key,
    from links

),

-- one row per node: what its subtree covers
subtrees as materialized (

    select
        ancestor_key as node_key,
        ancestor_key // {{ var('token_key_factor') }} as tree_sentence,
        min(node_key) as first_key,
        max(node_key) as last_key,
        count(*)::integer as subtree_size,
    from pairs
    group by ancestor_key

),

-- one row per node with a gap and node that stands in one of its gaps
strangers as (

    select
        subtrees.node_key,
        links.position,
    from subtrees
    inner join links
        on
            subtrees.tree_sentence = links.node_key // {{ var('token_key_factor') }}
            and links.node_key between subtrees.first_key and subtrees.last_key
    anti join pairs
        on
            subtrees.node_key = pairs.ancestor_key
            and links.node_key = pairs.node_key
    where subtrees.last_key - subtrees.first_key + 1 > subtrees.subtree_size

),

-- one row per node with a gap: the positions that do not belong to its subtree
gaps as (

    select
        node_key,
        list_sort(list(position)) as subtree_gaps,
    from strangers
    group by node_key

),

-- one row per node of a tree
spans as (

    select
        links.tree,
        links.sentence_number,
        links.node_key,
        links.depth,
        links.is_anchored,
        (subtrees.first_key % {{ var('token_key_factor') }})::integer as subtree_first,
        (subtrees.last_key % {{ var('token_key_factor') }})::integer as subtree_last,
        subtrees.subtree_size,
        gaps.subtree_gaps,
        gaps.subtree_gaps is null as is_projective,
    from links
    inner join subtrees
        on links.node_key = subtrees.node_key
    left join gaps
        on links.node_key = gaps.node_key

)

select * from spans
