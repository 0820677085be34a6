with

similar_pairs as (

    select * from {{ ref('int_machine__similar_pairs') }}

),

folds as (

    select * from {{ ref('int_machine__folds') }}

),

published as (

    select * from {{ ref('int_splits__published') }}

),

-- one row per sentence and similar sentence, in both directions
sides as (

    select
        left_number as sentence_number,
        left_work as canonical_work,
        right_work as other_work,
    from similar_pairs
    union all
    select
        right_number as sentence_number,
        right_work as canonical_work,
        left_work as other_work,
    from similar_pairs

),

-- one row per sentence and fold that must not learn from it
withheld_sentences as (

    select distinct
        other_folds.fold,
        published.id,
        sides.sentence_number,
    from sides
    inner join folds
        on sides.canonical_work = folds.canonical_work
    inner join folds as other_folds
        on
            sides.other_work = other_folds.canonical_work
            and folds.fold <> other_folds.fold
    inner join published
        on sides.sentence_number = published.sentence_number

)

select * from withheld_sentences
