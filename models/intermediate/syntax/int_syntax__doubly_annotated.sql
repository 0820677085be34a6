with

corpus_sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

text_sentences as (

    select * from {{ ref('int_text__sentences') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

-- one row per sentence of a text that several projects have
shared as (

    select
        text_sentences.sentence_number,
        text_sentences.dedup_key,
        corpus_sentences.project,
    from text_sentences
    inner join corpus_sentences
        on text_sentences.sentence_number = corpus_sentences.sentence_number
    where text_sentences.word_count > 0
    qualify
        min(corpus_sentences.project) over (partition by text_sentences.dedup_key)
        <> max(corpus_sentences.project) over (partition by text_sentences.dedup_key)

),

-- one row per such sentence, with its words in order
worded as (

    select
        shared.sentence_number,
        shared.dedup_key,
        shared.project,
        string_agg(text_tokens.folded, ' ' order by text_tokens.token_index) as words,
    from shared
    inner join text_tokens
        on shared.sentence_number = text_tokens.sentence_number
    where text_tokens.is_published
    group by shared.sentence_number, shared.dedup_key, shared.project

),

-- one row per project, text and way of dividing it into words: the first copy
firsts as (

    select
        project,
        dedup_key,
        words,
        min(sentence_number) as sentence_number,
    from worded
    group by project, dedup_key, words

),

-- one row per pair of projects and text
pairs as (

    select
        firsts.project,
        others.project as other_project,
        firsts.sentence_number,
        others.sentence_number as other_sentence_number,
    from firsts
    inner join firsts as others
        on
            firsts.dedup_key = others.dedup_key
            and firsts.words = others.words
            and firsts.project < others.project

)

select * from pairs
