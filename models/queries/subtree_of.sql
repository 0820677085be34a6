-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06
with

{{ wanted_sentence() }},

{{ wanted_nodes() }},

-- one row: the node itself
tops as (

    select
        nodes.depth,
        nodes.subtree_first,
        nodes.subtree_last,
        nodes.subtree_gaps,
    from nodes
    where nodes.position = node

),

-- one row per node of the subtree, in the order of the text
subtree_nodes as (

    select
        nodes.depth - tops.depth as steps,
        nodes.position,
        nodes.form,
        nodes.lemma,
        nodes.upos,
        nodes.head,
        nodes.label,
    from nodes
    cross join tops
    where {{ stands_under('tops', 'nodes.position') }}
    order by nodes.position

)

select * from subtree_nodes
