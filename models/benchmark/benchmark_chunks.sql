with

members as (

    select * from {{ ref('int_splits__chunk_members') }}

),

entered as (

    select * from {{ ref('int_splits__entered') }}

),

-- one row per chunk, a single sentence being a chunk of one
grouped as (

    select
        members.track,
        members.chunk_target_size,
        members.author,
        members.split,
        members.chunk_number,
        count(*) as chunk_size,
        list(entered.published_id order by members.place_in_chunk) as constituent_ids,
        list_sort(list(distinct members.canonical_work)) as canonical_works,
    from members
    inner join entered on members.sentence_number = entered.sentence_number
    group by
        members.track,
        members.chunk_target_size,
        members.author,
        members.split,
        members.chunk_number

),

-- one row per chunk, with its id
chunks as (

    select
        track || '_' || chunk_target_size as configuration,
        track,
        chunk_target_size,
        split,
        author,
        case
            when chunk_target_size = 1 then constituent_ids[1]
            else {{ chunk_id('constituent_ids') }}
        end as chunk_id,
        chunk_number::int as chunk_number,
        chunk_size::int as chunk_size,
        constituent_ids,
        canonical_works,
        array_length(canonical_works) > 1 as chunk_is_mixed_work,
    from grouped

)

select * from chunks
order by configuration, chunk_id
