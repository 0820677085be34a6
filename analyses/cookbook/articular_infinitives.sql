-- Who makes nouns of infinitives, and in which case?
-- One row per infinitive with an article of its own.
with

words as (

    select * from {{ ref('corpus_words') }}

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

-- one row per author
authors as (

    select
        author,
        count(*) as words,
    from words
    group by author

),

-- one row per infinitive with an article in the singular of the neuter
hits as (

    select
        infinitives.author,
        infinitives.sentence_number,
        infinitives.sentence_id,
        infinitives.token_index,
        articles.form as article,
        infinitives.form as infinitive,
        articles.feat_case as case_of_article,
        max(prepositions.lemma) as preposition,
    from words as infinitives
    inner join words as articles
        on
            infinitives.sentence_number = articles.sentence_number
            and infinitives.token_index = articles.head
    left join words as prepositions
        on
            infinitives.sentence_number = prepositions.sentence_number
            and infinitives.token_index = prepositions.head
            and prepositions.relation = 'case'
    where
        infinitives.feat_verbform = 'Inf'
        and articles.lemma = 'ὁ'
        and articles.relation = 'det'
        and articles.feat_gender = 'Neut'
        and articles.feat_number = 'Sing'
        and articles.token_index < infinitives.token_index
    group by all

),

articular_infinitives as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as articular_infinitives,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.article,
        hits.infinitive,
        hits.case_of_article,
        hits.preposition,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from articular_infinitives
order by author asc, sentence_id asc, token_index asc
