with

read_heads as (

    select * from {{ ref('int_syntax__read_heads') }}

),

cycles as (

    select * from {{ ref('int_syntax__cycles') }}

),

-- one row per word
heads as (

    select
        read_heads.gid,
        read_heads.sentence_number,
        if(cycles.gid is null, read_heads.head_gid, 0) as head_gid,
        if(cycles.gid is null, read_heads.repair, 'cycle') as repair,
    from read_heads
    left join cycles
        on
            read_heads.gid = cycles.gid
            and cycles.gid = cycles.cycle_gid

)

select * from heads
