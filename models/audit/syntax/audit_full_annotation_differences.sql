{%- set layers = {
    'relation': ["split_part(ones.relation, ':', 1)", "split_part(others.relation, ':', 1)"],
    'ud_upos': ['ones.ud_upos', 'others.ud_upos'],
    'ud_feats': ["coalesce(ones.ud_feats, '_')", "coalesce(others.ud_feats, '_')"],
} -%}

with

tokens as (

    select * from {{ ref('int_syntax__doubly_annotated_tokens') }}

),

full_annotation as (

    select * from {{ ref('int_syntax__full_annotation') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

-- one row per token of a text that two projects have annotated, and column
compared as (

    {% for layer, sides in layers.items() %}
        select
            tokens.project,
            tokens.other_project,
            '{{ layer }}' as layer,
            {{ sides[0] }} as value,
            {{ sides[1] }} as other_value,
            one_trees.head = other_trees.head as has_same_head,
        from tokens
        inner join full_annotation as ones
            on tokens.gid = ones.gid
        inner join full_annotation as others
            on tokens.other_gid = others.gid
        inner join trees as one_trees
            on tokens.gid = one_trees.gid
        inner join trees as other_trees
            on tokens.other_gid = other_trees.gid
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per pair of projects, column and pair of values
counted as (

    select
        project,
        other_project,
        layer,
        value,
        other_value,
        count(*) as tokens,
        count(*) filter (where has_same_head) as tokens_with_same_head,
        count(*) / sum(count(*)) over (partition by project, other_project, layer) as share,
    from compared
    group by project, other_project, layer, value, other_value

),

-- one row per pair of projects, column and pair of different values
differences as (

    select * from counted
    where value <> other_value

)

select * from differences
