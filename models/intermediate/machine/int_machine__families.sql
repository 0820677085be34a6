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
        sum(word_count)::bigint as words,
    from published
    group by canonical_work

),

-- one row per pair of works that share enough near-duplicates to count as one text
links as (

    select
        least(left_work, right_work) as first_work,
        greatest(left_work, right_work) as second_work,
    from similar_pairs
    group by first_work, second_work
    having count(*) >= {{ var('machine_fold_min_pairs') }}

),

{{ connected_members('links', 'first_work', 'second_work') }},

-- one row per canonical work: the least work that it hangs together with, itself included
families as (

    select
        works.canonical_work,
        coalesce(connected.first_member, works.canonical_work) as family,
        works.sentences,
        works.words,
    from works
    left join connected
        on works.canonical_work = connected.member

)

select * from families
