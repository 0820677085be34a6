with recursive

pairs as (

    select * from {{ ref('int_dedup__near_duplicate_pairs') }}

),

-- one row per removed sentence
removed as (

    select distinct sentence_number from pairs

),

-- one row per removed sentence: the pair that decided, whose other member stays if any does, and which shares most
deciding as (

    select
        pairs.sentence_number,
        pairs.partner_number,
        pairs.shared,
        pairs.set_size,
        pairs.partner_size,
    from pairs
    left join removed on pairs.partner_number = removed.sentence_number
    qualify
        row_number() over (
            partition by pairs.sentence_number
            order by
                removed.sentence_number is not null,
                pairs.shared desc,
                pairs.partner_number asc
        ) = 1

),

-- one row per removed sentence and step towards the one that stands for it; it ends, because
-- every step leads to a project of better source priority
steps as (

    select
        sentence_number,
        partner_number as reached_number,
        1 as depth,
    from deciding
    union all
    select
        steps.sentence_number,
        deciding.partner_number as reached_number,
        steps.depth + 1 as depth,
    from steps
    inner join deciding on steps.reached_number = deciding.sentence_number

),

-- one row per removed sentence: the step from which no pair leads on
ends as (

    select
        steps.sentence_number,
        steps.reached_number as survivor_number,
        steps.depth,
    from steps
    left join removed on steps.reached_number = removed.sentence_number
    where removed.sentence_number is null

),

-- one row per removed sentence, with the one that stands for it
near_duplicates as (

    select
        deciding.sentence_number,
        deciding.partner_number,
        deciding.shared,
        deciding.set_size,
        deciding.partner_size,
        ends.survivor_number,
        ends.depth,
    from deciding
    inner join ends on deciding.sentence_number = ends.sentence_number

)

select * from near_duplicates
