with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where track = 'sentence'

),

absent_authors as (

    select * from {{ ref('benchmark_authors_absent') }}
    where track = 'sentence'

),

-- one row per sentence read: what the rules up to the splits made of it
decided as (

    select
        sentences.sentence_number,
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        sentences.author,
        sentences.canonical_work,
        case
            when outcomes.outcome <> 'entered' then outcomes.outcome
            when assignments.sentence_number is null then 'author_below_threshold'
            when assignments.is_remainder then 'remainder'
            else 'published'
        end as fate,
        outcomes.survivor_number,
        outcomes.reason as outcome_reason,
        assignments.split,
    from sentences
    inner join outcomes
        on sentences.sentence_number = outcomes.sentence_number
    left join assignments
        on sentences.sentence_number = assignments.sentence_number

),

-- one row per sentence read, with its fate in words
sentence_fates as (

    select
        decided.sentence_id,
        decided.project,
        decided.path,
        decided.position,
        decided.author,
        decided.canonical_work,
        decided.fate,
        survivors.sentence_id as survivor_id,
        case decided.fate
            when 'published' then 'in the ' || decided.split || ' split of the main track'
            when 'remainder'
                then 'cut from the ' || decided.split || ' split of the main track, whose rows are a multiple of '
                    || '{{ var("row_multiple") }}'
            when 'author_below_threshold' then absent_authors.reason
            else decided.outcome_reason
        end as reason,
    from decided
    left join sentences as survivors
        on decided.survivor_number = survivors.sentence_number
    left join absent_authors
        on decided.author = absent_authors.author

)

select * from sentence_fates
order by project, path, position
