with recursive

published as (

    select * from {{ ref('int_splits__published') }}

),

similar_pairs as (

    select * from {{ ref('int_machine__similar_pairs') }}

),

-- one row per canonical work with a published sentence
works as (

    select
        canonical_work,
        count(*) as sentences,
        sum(word_count)::bigint as words
    from published
    group by canonical_work

),

-- one row per pair of works that share enough near-duplicates to count as one text
links as (

    select
        least(left_work, right_work) as first_work,
        greatest(left_work, right_work) as second_work
    from similar_pairs
    group by first_work, second_work
    having count(*) >= {{ var('machine_fold_min_pairs') }}

),

-- one row per work and work it is linked with, in both directions
neighbours as (

    select
        first_work as canonical_work,
        second_work as neighbour
    from links
    union all
    select
        second_work as canonical_work,
        first_work as neighbour
    from links

),

-- one row per work and work that links lead to, itself included
reached as (

    select
        canonical_work,
        canonical_work as member
    from works

    union

    select
        reached.canonical_work,
        neighbours.neighbour as member
    from reached
    inner join neighbours
        on reached.member = neighbours.canonical_work

),

-- one row per canonical work: the least work that it hangs together with
families as (

    select
        works.canonical_work,
        min(reached.member) as family,
        works.sentences,
        works.words
    from works
    inner join reached
        on works.canonical_work = reached.canonical_work
    group by works.canonical_work, works.sentences, works.words

)

select * from families
