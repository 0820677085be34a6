-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06
with

{{ wanted_sentence() }},

{{ wanted_nodes() }},

-- one row: the node itself
starts as (

    select
        nodes.position,
        nodes.depth,
    from nodes
    where nodes.position = node

),

-- one row per node above it, the nearest first
ancestors as (

    select
        starts.depth - nodes.depth as steps,
        nodes.position,
        nodes.form,
        nodes.lemma,
        nodes.upos,
        nodes.label,
    from nodes
    inner join starts
        on nodes.position <> starts.position
    where {{ stands_under('nodes', 'starts.position') }}
    order by nodes.depth desc, nodes.position asc

)

select * from ancestors
