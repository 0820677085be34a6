-- Which prepositions stand with a case that they hardly ever have?
-- One row per word under a preposition whose case makes up less than one in fifty of those that this preposition has.
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

-- one row per word with a case under a preposition, with how often the preposition has this case
governed as (

    select
        nouns.author,
        nouns.sentence_number,
        nouns.sentence_id,
        nouns.token_index,
        prepositions.lemma as preposition,
        nouns.form as noun,
        nouns.feat_case as case_of_noun,
        count(*) over (partition by prepositions.lemma, nouns.feat_case) as occurrences,
        count(*) over (partition by prepositions.lemma) as occurrences_of_preposition,
    from words as nouns
    inner join words as prepositions
        on
            nouns.sentence_number = prepositions.sentence_number
            and nouns.token_index = prepositions.head
    where
        prepositions.relation = 'case'
        and prepositions.ud_upos = 'ADP'
        and prepositions.lemma is not null
        and nouns.feat_case is not null

),

-- one row per word in a rare case
hits as (

    select * from governed
    where
        occurrences_of_preposition >= 100
        and 50 * occurrences < occurrences_of_preposition

),

prepositions_with_rare_cases as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as rare_cases,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.preposition,
        hits.noun,
        hits.case_of_noun,
        hits.occurrences,
        hits.occurrences_of_preposition,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from prepositions_with_rare_cases
order by author asc, sentence_id asc, token_index asc
