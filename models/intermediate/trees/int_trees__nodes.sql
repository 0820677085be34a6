with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

words as (

    select * from {{ ref('int_words__words') }}

),

machine_trees as (

    select * from {{ ref('int_machine__trees') }}

),

read_heads as (

    select * from {{ ref('int_syntax__read_heads') }}

),

-- one row per published word: its head in the published numbering
human as (

    select
        'human' as tree,
        gid,
        sentence_number,
        token_index as position,
        head,
    from words

),

-- one row per parsed word: its head by the parser
machine as (

    select
        'machine' as tree,
        gid,
        sentence_number,
        token as position,
        head,
    from machine_trees

),

-- one row per row of the file that is no multiword range, numbered in the order of the file
native_rows as (

    select
        gid,
        sentence_number,
        (row_number() over (partition by sentence_number order by source_index))::integer as position,
    from tokens
    where row_kind <> 'range'

),

-- one row per such row: its head as annotated, null where there is none
native as (

    select
        'native' as tree,
        native_rows.gid,
        native_rows.sentence_number,
        native_rows.position,
        case
            when read_heads.repair = 'missing_head' then null
            when read_heads.repair = 'self_loop' then native_rows.position
            when read_heads.head_gid = 0 then 0
            else heads.position
        end as head,
    from native_rows
    left join read_heads
        on native_rows.gid = read_heads.gid
    left join native_rows as heads
        on read_heads.head_gid = heads.gid

),

-- one row per node of a tree, the three trees one after the other
united as (

    select * from human
    union all by name
    select * from machine
    union all by name
    select * from native

),

-- one row per node of a tree; the keys of different trees are different
nodes as (

    select
        tree,
        gid,
        sentence_number::integer as sentence_number,
        position::integer as position,
        head::integer as head,
        {{ tree_key('tree', 'sentence_number', 'position') }} as node_key,
        {{ tree_key('tree', 'sentence_number', 'head') }} as head_key,
    from united

)

select * from nodes
order by node_key
