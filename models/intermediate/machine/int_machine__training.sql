with

published as (

    select * from {{ ref('int_machine__sentences') }}
    where is_training

),

unpublished as (

    select * from {{ ref('int_machine__unpublished') }}

),

-- one row per sentence that models may learn from
training as (

    select
        sentence_number,
        id,
        canonical_work,
        fold,
        word_count,
        true as is_published,
    from published
    union all
    select
        sentence_number,
        id,
        canonical_work,
        fold,
        word_count,
        false as is_published,
    from unpublished

)

select * from training
order by id
