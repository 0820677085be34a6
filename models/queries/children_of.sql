-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06
with

{{ wanted_sentence() }},

{{ wanted_nodes() }},

-- one row per child
children as (

    select
        nodes.position,
        nodes.form,
        nodes.lemma,
        nodes.upos,
        nodes.feats,
        nodes.label,
        nodes.position - nodes.head as distance,
    from nodes
    where nodes.head = node
    order by nodes.position

)

select * from children
