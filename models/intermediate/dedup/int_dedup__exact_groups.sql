with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

-- one row per sentence of a kept document that has words
ranked as (

    select
        sentences.sentence_number,
        sentences.author,
        sentences.project,
        texts.dedup_key,
        row_number() over (
            partition by texts.dedup_key
            order by
                texts.is_corrupt,
                sentences.source_priority,
                sentences.path_rank,
                sentences.position,
                sentences.sentence_number
        ) as choice,
    from sentences
    inner join texts on sentences.sentence_number = texts.sentence_number
    where
        sentences.decision = 'keep'
        and texts.dedup_key is not null

),

-- one row per letters key
final as (

    select
        dedup_key,
        max(case when choice = 1 then sentence_number end) as chosen_number,
        count(*)::integer as copies,
        list_sort(list(distinct author)) as authors,
        list_sort(list(distinct project)) as projects,
        count(distinct author) > 1 as is_author_conflict,
    from ranked
    group by dedup_key

)

select * from final
