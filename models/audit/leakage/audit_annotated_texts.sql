with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}
    where word_count > 0

),

words as (

    select * from {{ ref('int_words__words') }}

),

word_texts as (

    select * from {{ ref('int_words__sentences') }}

),

-- one row per sentence of a text that several projects have: of several copies in one project the first
shared as (

    select
        texts.dedup_key,
        word_texts.text,
        sentences.sentence_number,
        sentences.project,
    from texts
    inner join word_texts on texts.sentence_number = word_texts.sentence_number
    inner join sentences on texts.sentence_number = sentences.sentence_number
    qualify
        min(sentences.project) over (partition by texts.dedup_key)
        <> max(sentences.project) over (partition by texts.dedup_key)
        and row_number() over (
            partition by texts.dedup_key, sentences.project
            order by sentences.sentence_number
        ) = 1

),

-- one row per such sentence, with its words without accents
folded as (

    select
        shared.dedup_key,
        shared.project,
        shared.text,
        string_agg(words.folded, ' ' order by words.token_index) as words,
    from shared
    inner join words on shared.sentence_number = words.sentence_number
    group by shared.dedup_key, shared.project, shared.text

),

-- one row per pair of projects
pairs as (

    select
        one.project,
        other.project as other_project,
        count(*)::bigint as texts,
        count(*) filter (where one.words = other.words)::bigint as same_words,
        count(*) filter (where one.text = other.text)::bigint as same_text,
        (count(*) filter (where one.words = other.words) / count(*))::double as same_words_share,
        (count(*) filter (where one.text = other.text) / count(*))::double as same_text_share,
    from folded as one
    inner join folded as other
        on
            one.dedup_key = other.dedup_key
            and one.project < other.project
    group by one.project, other.project

)

select * from pairs
order by project, other_project
