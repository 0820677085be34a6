-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06
with

{{ wanted_sentence() }},

{{ wanted_nodes() }},

-- one row per node above one of both, or one of both itself, and over which of them it stands
above as (

    select
        nodes.position,
        nodes.form,
        nodes.lemma,
        nodes.upos,
        nodes.label,
        nodes.depth,
        coalesce({{ stands_under('nodes', 'node') }}, false) as is_over_first,
        coalesce({{ stands_under('nodes', 'other_node') }}, false) as is_over_second,
    from nodes

),

-- one row: how deep the lowest node over both stands, 0 for the anchor
meetings as (

    select coalesce(max(above.depth), 0) as depth
    from above
    where above.is_over_first and above.is_over_second

),

-- one row per node on the way, up from the first and down to the second
paths as (

    select
        (row_number() over (
            order by
                above.is_over_first desc,
                case when above.is_over_first then -above.depth else above.depth end
        ))::integer as step,
        case
            when above.is_over_first and above.is_over_second then 'top'
            when above.is_over_first then 'up'
            else 'down'
        end as direction,
        above.position,
        above.form,
        above.lemma,
        above.upos,
        above.label,
    from above
    cross join meetings
    where
        (above.is_over_first or above.is_over_second)
        and above.depth >= meetings.depth
        and node in (select nodes.position from nodes)
        and other_node in (select nodes.position from nodes)
    order by step

)

select * from paths
