with

held_out_rows as (

    select * from {{ ref('int_splits__held_out_rows') }}

),

test_works as (

    select * from {{ ref('int_splits__held_out_test_works') }}
    where candidate_rank = 1

),

validation_works as (

    select * from {{ ref('int_splits__held_out_validation_works') }}
    where candidate_rank = 1

),

-- one row per track, scope and sentence of an author with a test work; the source is the validation
-- work, or the training works together where there is none
placed as (

    select
        held_out_rows.*,
        test_works.author_rows,
        validation_works.work_rows as validation_work_rows,
        held_out_rows.canonical_work = test_works.canonical_work as is_test,
        held_out_rows.canonical_work <> test_works.canonical_work
        and held_out_rows.canonical_work = coalesce(
            validation_works.canonical_work, held_out_rows.canonical_work
        ) as is_validation_source,
    from held_out_rows
    inner join test_works
        on
            held_out_rows.track = test_works.track
            and held_out_rows.scope = test_works.scope
            and held_out_rows.author = test_works.author
    left join validation_works
        on
            held_out_rows.track = validation_works.track
            and held_out_rows.scope = validation_works.scope
            and held_out_rows.author = validation_works.author

),

-- one row per track, scope and sentence: rank in the hash order, and how many rows each split takes
ranked as (

    select
        *,
        row_number() over (
            partition by track, scope, author, is_validation_source
            order by held_out_split_order, dedup_key
        ) as hash_rank,
        case
            when validation_work_rows is null
                then {{ round_half_even(var('validation_share'), 'author_rows') }}
            else {{ round_half_even(var('held_out_validation_part'), 'validation_work_rows') }}
        end as validation_rows,
        case
            when validation_work_rows is null
                then {{ round_half_even(var('validation2_share'), 'author_rows') }}
            else
                validation_work_rows
                - {{ round_half_even(var('held_out_validation_part'), 'validation_work_rows') }}
        end as validation2_rows,
    from placed

),

-- one row per track, scope and sentence, with its split
split_rows as (

    select
        track,
        scope,
        sentence_number,
        dedup_key,
        author,
        canonical_work,
        surplus_order,
        case
            when is_test then 'test'
            when not is_validation_source then 'train'
            when hash_rank <= validation_rows then 'validation'
            when hash_rank <= validation_rows + validation2_rows then 'validation2'
            else 'train'
        end as split,
    from ranked

),

-- one row per track, scope and sentence, with the cut to a multiple of ten
sentence_splits as (

    select
        track,
        scope,
        sentence_number,
        author,
        canonical_work,
        split,
        {{ is_surplus(['track', 'scope', 'author', 'split']) }} as is_remainder,
    from split_rows

)

select * from sentence_splits
