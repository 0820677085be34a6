-- Which mood follows ἵνα, ὅπως and ὡς in a clause of purpose, and after which main verb?
-- One row per subjunctive or optative under one of them: the rule wants the optative after a past tense only.
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

-- one row per subjunctive or optative under a conjunction of purpose, with the verb that the clause depends on
hits as (

    select
        verbs.author,
        verbs.sentence_number,
        verbs.sentence_id,
        verbs.token_index,
        conjunctions.lemma as conjunction,
        verbs.form as verb,
        verbs.feat_mood as mood,
        governors.form as governor,
        governors.feat_tense as tense_of_governor,
    from words as verbs
    inner join words as conjunctions
        on
            verbs.sentence_number = conjunctions.sentence_number
            and verbs.token_index = conjunctions.head
    left join words as governors
        on
            verbs.sentence_number = governors.sentence_number
            and verbs.head = governors.token_index
    where
        verbs.feat_mood in ('Sub', 'Opt')
        and conjunctions.lemma in ('ἵνα', 'ὅπως', 'ὡς')
        and conjunctions.relation = 'mark'
        and verbs.relation = 'advcl'

),

purpose_clauses as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as clauses,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.conjunction,
        hits.verb,
        hits.mood,
        hits.governor,
        hits.tense_of_governor,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from purpose_clauses
order by author asc, sentence_id asc, token_index asc
