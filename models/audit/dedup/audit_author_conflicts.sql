with

exact_groups as (

    select * from {{ ref('int_dedup__exact_groups') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

words as (

    select * from {{ ref('int_words__sentences') }}

),

-- one row per letters key under several authors
author_conflicts as (

    select
        exact_groups.dedup_key,
        exact_groups.authors,
        min_by(words.text, sentences.sentence_number) as text,
        min(words.word_count)::integer as words,
        count(*)::integer as sentences,
        exact_groups.projects,
        list(sentences.sentence_id order by sentences.sentence_number) as sentence_ids,
    from exact_groups
    inner join texts on exact_groups.dedup_key = texts.dedup_key
    inner join sentences on texts.sentence_number = sentences.sentence_number
    inner join words on texts.sentence_number = words.sentence_number
    where
        exact_groups.is_author_conflict
        and sentences.decision = 'keep'
    group by exact_groups.dedup_key, exact_groups.authors, exact_groups.projects
    order by count(*) desc, exact_groups.dedup_key asc

)

select * from author_conflicts
