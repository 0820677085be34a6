with

trees as (

    select * from {{ ref('int_syntax__native_trees') }}
    union all
    select * from {{ ref('int_syntax__ud_trees') }}

),

coordinators as (

    select * from {{ ref('int_syntax__coordinators') }}

),

heads as (

    select * from {{ ref('int_syntax__heads') }}

),

surviving_heads as (

    select * from {{ ref('int_syntax__surviving_heads') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

relation_reduction as (

    select * from {{ ref('relation_reduction') }}

),

joining_words as (

    select * from {{ ref('coordinators') }}

),

-- one row per published token: coordinators moved, repairs named
moved as (

    select
        trees.gid,
        trees.sentence_number,
        trees.head_gid as ud_head_gid,
        trees.relation as ud_relation,
        coalesce(coordinators.head_gid, trees.head_gid) as head_gid,
        case
            when coordinators.is_coordinator = false then 'advmod'
            else trees.relation
        end as relation,
        coalesce(
            heads.repair,
            surviving_heads.repair,
            if(trees.is_extra_root, 'extra_root', null)
        ) as head_repair,
        coalesce(surviving_heads.head_gid, heads.head_gid) as native_head_gid,
    from trees
    inner join heads
        on trees.gid = heads.gid
    left join coordinators
        on trees.gid = coordinators.gid
    left join surviving_heads
        on trees.gid = surviving_heads.gid

),

-- one row per published token, in the published numbering
published as (

    select
        moved.gid,
        moved.sentence_number,
        tokens.token_index,
        moved.head_gid,
        coalesce(head_tokens.token_index, 0) as head,
        moved.relation,
        coalesce(
            if(joining_words.lemma is null, relation_reduction.deprel, relation_reduction.coordinator_deprel),
            'dep'
        ) as deprel,
        moved.head_repair,
        moved.head_gid <> moved.native_head_gid as is_head_converted,
        coalesce(ud_head_tokens.token_index, 0) as ud_head,
        moved.ud_relation,
        coalesce(native_head_tokens.token_index, 0) as native_head,
    from moved
    inner join text_tokens as tokens
        on moved.gid = tokens.gid
    left join text_tokens as head_tokens
        on moved.head_gid = head_tokens.gid
    left join text_tokens as ud_head_tokens
        on moved.ud_head_gid = ud_head_tokens.gid
    left join text_tokens as native_head_tokens
        on moved.native_head_gid = native_head_tokens.gid
    left join joining_words
        on tokens.published_lemma = joining_words.lemma
    left join relation_reduction
        on split_part(moved.relation, ':', 1) = relation_reduction.relation

)

select * from published
