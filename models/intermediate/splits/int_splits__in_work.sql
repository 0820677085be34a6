with

entered as (

    select * from {{ ref('int_splits__entered') }}

),

quotas as (

    select * from {{ ref('int_splits__in_work_quotas') }}

),

-- one row per sentence that entered, with its rank in the hash order of its work
ranked as (

    select
        sentence_number,
        dedup_key,
        author,
        canonical_work,
        surplus_order,
        row_number() over (
            partition by author, canonical_work
            order by split_order, dedup_key
        ) as hash_rank,
    from entered

),

-- one row per sentence that entered, with its split
split_rows as (

    select
        ranked.sentence_number,
        ranked.dedup_key,
        ranked.author,
        ranked.canonical_work,
        ranked.surplus_order,
        case
            when ranked.hash_rank <= quotas.validation_rows then 'validation'
            when ranked.hash_rank <= quotas.validation_rows + quotas.validation2_rows
                then 'validation2'
            when
                ranked.hash_rank
                <= quotas.validation_rows + quotas.validation2_rows + quotas.test_rows
                then 'test'
            else 'train'
        end as split,
    from ranked
    inner join quotas
        on
            ranked.author = quotas.author
            and ranked.canonical_work = quotas.canonical_work

),

-- one row per sentence that entered, with the cut to a multiple of ten
sentence_splits as (

    select
        sentence_number,
        author,
        canonical_work,
        split,
        {{ is_surplus(['author', 'split']) }} as is_remainder,
    from split_rows

)

select * from sentence_splits
