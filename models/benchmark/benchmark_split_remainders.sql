with

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where is_remainder

),

catalogue as (

    select * from {{ ref('int_catalogue__sentences') }}

),

entered as (

    select * from {{ ref('int_splits__entered') }}

),

-- one row per track and sentence cut to reach a multiple of ten
remainders as (

    select
        assignments.track,
        catalogue.sentence_id,
        {{ published_id('entered.dedup_key') }} as published_id,
        assignments.author,
        assignments.canonical_work,
        assignments.split
    from assignments
    inner join catalogue on assignments.sentence_number = catalogue.sentence_number
    inner join entered on assignments.sentence_number = entered.sentence_number

)

select * from remainders
order by track, published_id
