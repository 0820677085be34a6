with

fingerprint_exceptions as (

    select * from {{ ref('fingerprint_exceptions') }}

),

-- one row per value with an exception, whichever project it is about
exceptions as (

    select
        layer,
        value,
        string_agg(reason, '; ' order by project asc) as reason,
    from fingerprint_exceptions
    group by layer, value

)

select * from exceptions
