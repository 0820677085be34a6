-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06
with

words as (

    select * from {{ ref('corpus_words').include(database=false) }}

),

sentences as (

    select * from {{ ref('corpus_sentences').include(database=false) }}

),

-- one row per hit
hits as (

    select
        words.sentence_number,
        words.token_index,
        words.form,
    from words
    where {{ word_is('words') }}

),

-- one row per hit with the words around it, within the sentence
contexts as (

    select
        hits.sentence_number,
        hits.token_index,
        hits.form,
        string_agg(words.form, ' ' order by words.token_index) filter (words.token_index < hits.token_index)
            as left_context,
        string_agg(words.form, ' ' order by words.token_index) filter (words.token_index > hits.token_index)
            as right_context,
        string_agg(words.folded, ' ' order by words.token_index desc) filter (words.token_index < hits.token_index)
            as left_key,
        string_agg(words.folded, ' ' order by words.token_index) filter (words.token_index > hits.token_index)
            as right_key,
    from hits
    inner join words
        on
            hits.sentence_number = words.sentence_number
            and words.token_index between hits.token_index - width and hits.token_index + width
    group by hits.sentence_number, hits.token_index, hits.form

),

-- one row per hit, in the order of the corpus
concordances as (

    select
        coalesce(contexts.left_context, '') as left_context,
        contexts.form as hit,
        coalesce(contexts.right_context, '') as right_context,
        sentences.citation,
        sentences.author,
        sentences.sentence_id,
        contexts.token_index,
        coalesce(contexts.left_key, '') as left_key,
        coalesce(contexts.right_key, '') as right_key,
    from contexts
    inner join sentences
        on contexts.sentence_number = sentences.sentence_number
    order by contexts.sentence_number, contexts.token_index

)

select * from concordances
