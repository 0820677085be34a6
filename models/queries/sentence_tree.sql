with

{{ wanted_sentence() }},

{{ wanted_nodes() }},

-- one row per node, in the order of the text, its place in the tree drawn by indentation
tree_nodes as (

    select
        nodes.position,
        nodes.head,
        nodes.label,
        nodes.form,
        nodes.lemma,
        nodes.upos,
        nodes.feats,
        heads.form as head_form,
        nodes.depth,
        nodes.is_projective,
        repeat('    ', greatest(nodes.depth, 1) - 1) || nodes.form || coalesce(' (' || nodes.label || ')', '')
            as drawing,
    from nodes
    left join nodes as heads
        on nodes.head = heads.position
    order by nodes.position

)

select * from tree_nodes
