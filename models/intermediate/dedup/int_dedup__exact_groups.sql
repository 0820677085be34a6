with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

-- one row per sentence of a kept document that has words
candidates as (

    select
        sentences.sentence_number,
        sentences.author,
        sentences.project,
        texts.dedup_key,
        texts.is_corrupt,
        sentences.source_priority,
        sentences.path_rank,
        sentences.position,
    from sentences
    inner join texts on sentences.sentence_number = texts.sentence_number
    where
        sentences.decision = 'keep'
        and texts.dedup_key is not null

),

-- one row per letters key: a sound copy is chosen, then one by priority, path and position
exact_groups as (

    select
        dedup_key,
        first(
            sentence_number order by is_corrupt, source_priority, path_rank, position, sentence_number
        ) as chosen_number,
        count(*)::integer as copies,
        list_sort(list(distinct author)) as authors,
        list_sort(list(distinct project)) as projects,
        count(distinct author) > 1 as is_author_conflict,
    from candidates
    group by dedup_key

)

select * from exact_groups
