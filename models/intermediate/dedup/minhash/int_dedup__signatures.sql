with

datasketch as (

    select * from {{ ref('int_dedup__signatures_datasketch') }}

),

-- one row per sentence that has a 4-gram
signatures as (

    select
        sentence_number,
        set_size,
        signature,
    from datasketch

)

select * from signatures
