with

similar_pairs as (

    select * from {{ ref('int_machine__similar_pairs') }}

),

folds as (

    select * from {{ ref('int_machine__folds') }}

),

published as (

    select * from {{ ref('int_machine__sentences') }}

),

training as (

    select * from {{ ref('int_machine__training') }}

),

unpublished_likes as (

    select * from {{ ref('int_machine__unpublished_likes') }}

),

-- one row per published sentence and work of a similar one, in both directions
sides as (

    select
        left_number as sentence_number,
        right_work as other_work,
    from similar_pairs
    union all
    select
        right_number as sentence_number,
        left_work as other_work,
    from similar_pairs

),

-- one row per sentence and fold with a sentence like it
likes as (

    select
        sides.sentence_number,
        folds.fold,
    from sides
    inner join folds
        on sides.other_work = folds.canonical_work
    union
    select
        unpublished_likes.sentence_number,
        published.fold,
    from unpublished_likes
    inner join published
        on unpublished_likes.published_number = published.sentence_number

),

-- one row per sentence and fold of other works that must not learn from it
withheld as (

    select
        likes.fold,
        training.id,
        training.sentence_number,
    from likes
    inner join training
        on
            likes.sentence_number = training.sentence_number
            and likes.fold is distinct from training.fold

)

select * from withheld
