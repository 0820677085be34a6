-- Where has an infinitive a subject in the accusative?
-- One row per subject, with the word that the infinitive depends on.
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

-- one row per accusative that is the subject of an infinitive
hits as (

    select
        subjects.author,
        subjects.sentence_number,
        subjects.sentence_id,
        subjects.token_index,
        subjects.form as subject,
        infinitives.form as infinitive,
        governors.lemma as governor,
    from words as subjects
    inner join words as infinitives
        on
            subjects.sentence_number = infinitives.sentence_number
            and subjects.head = infinitives.token_index
    left join words as governors
        on
            infinitives.sentence_number = governors.sentence_number
            and infinitives.head = governors.token_index
    where
        subjects.relation in ('nsubj', 'nsubj:pass')
        and subjects.feat_case = 'Acc'
        and infinitives.feat_verbform = 'Inf'

),

accusatives_with_infinitive as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as subjects_in_accusative,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.subject,
        hits.infinitive,
        hits.governor,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from accusatives_with_infinitive
order by author asc, sentence_id asc, token_index asc
