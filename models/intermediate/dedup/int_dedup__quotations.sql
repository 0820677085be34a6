with

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}

),

-- one row per sentence and sentence of another author that it shares a quotation with
sides as (

    select
        left_number as sentence_number,
        right_number as partner_number,
        shared,
        left_size as set_size,
        right_size as partner_size,
    from pairs
    where rule = 'quotation'
    union all
    select
        right_number as sentence_number,
        left_number as partner_number,
        shared,
        right_size as set_size,
        left_size as partner_size,
    from pairs
    where rule = 'quotation'

),

-- one row per removed sentence: the pair that shares most decides
quotations as (

    select
        sentence_number,
        partner_number,
        shared,
        set_size,
        partner_size,
    from sides
    qualify row_number() over (partition by sentence_number order by shared desc, partner_number asc) = 1

)

select * from quotations
