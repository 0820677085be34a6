with

nodes as (

    select * from {{ ref('int_trees__nodes') }}

),

spans as (

    select * from {{ ref('int_trees__spans') }}

),

-- one row per sentence of a tree with its shape, as far as single nodes show it
shapes as (

    select
        spans.tree,
        spans.sentence_number,
        count(*)::integer as node_count,
        max(spans.depth) as depth,
        bool_and(spans.is_projective) as has_no_gap,
        bool_and(spans.depth is not null) as is_forest,
        bool_and(spans.is_anchored) as is_tree,
        list_sort(list(nodes.position) filter (where not spans.is_anchored)) as unanchored,
    from spans
    inner join nodes
        on spans.node_key = nodes.node_key
    group by spans.tree, spans.sentence_number

),

-- one row per dependency of a sentence that is no tree, with its ends from left to right
arcs as (

    select
        nodes.tree,
        nodes.sentence_number,
        least(nodes.position, nodes.head) as left_end,
        greatest(nodes.position, nodes.head) as right_end,
    from nodes
    inner join shapes
        on
            nodes.tree = shapes.tree
            and nodes.sentence_number = shapes.sentence_number
    where
        not shapes.is_tree
        and nodes.head is not null

),

-- one row per such sentence in which two dependencies cross
crossed as (

    select distinct
        arcs.tree,
        arcs.sentence_number,
    from arcs
    inner join arcs as others
        on
            arcs.tree = others.tree
            and arcs.sentence_number = others.sentence_number
            and arcs.left_end < others.left_end
            and arcs.right_end > others.left_end
            and arcs.right_end < others.right_end

),

-- one row per sentence of a tree
sentences as (

    select
        shapes.tree,
        shapes.sentence_number,
        shapes.node_count,
        shapes.depth,
        if(shapes.is_tree, shapes.has_no_gap, crossed.sentence_number is null) as is_projective,
        shapes.is_tree,
        shapes.is_forest,
        not shapes.is_forest as is_cyclic,
        shapes.unanchored,
    from shapes
    left join crossed
        on
            shapes.tree = crossed.tree
            and shapes.sentence_number = crossed.sentence_number

)

select * from sentences
order by tree, sentence_number
