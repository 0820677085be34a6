with

exact_groups as (

    select * from {{ ref('int_dedup__exact_groups') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

-- one row per sentence left after exact deduplication
chosen_sentences as (

    select
        sentences.sentence_number,
        exact_groups.dedup_key,
        exact_groups.copies,
        exact_groups.projects,
        sentences.author,
        sentences.project,
        sentences.source_priority,
        sentences.document_match,
        lag(sentences.sentence_number) over (
            partition by sentences.project, sentences.document_match
            order by sentences.path_rank, sentences.position, sentences.sentence_number
        ) as previous_number,
        lead(sentences.sentence_number) over (
            partition by sentences.project, sentences.document_match
            order by sentences.path_rank, sentences.position, sentences.sentence_number
        ) as next_number,
    from exact_groups
    inner join sentences on exact_groups.chosen_number = sentences.sentence_number
    where not exact_groups.is_author_conflict

)

select * from chosen_sentences
