-- Which attributes differ from their noun in gender?
-- One row per adjective: agreement with the sense (τέκνον φίλε), adjectives of two endings, and errors of the
-- treebanks.
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

-- one row per adjective in the case and number of the noun it modifies, and in another gender
hits as (

    select
        adjectives.author,
        adjectives.sentence_number,
        adjectives.sentence_id,
        adjectives.token_index,
        adjectives.form as adjective,
        adjectives.feat_gender as gender_of_adjective,
        nouns.form as noun,
        nouns.feat_gender as gender_of_noun,
    from words as adjectives
    inner join words as nouns
        on
            adjectives.sentence_number = nouns.sentence_number
            and adjectives.head = nouns.token_index
    where
        adjectives.ud_upos = 'ADJ'
        and nouns.ud_upos = 'NOUN'
        and adjectives.relation = 'amod'
        and adjectives.feat_case = nouns.feat_case
        and adjectives.feat_number = nouns.feat_number
        and adjectives.feat_gender <> nouns.feat_gender

),

attributes_that_do_not_agree as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as attributes,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.adjective,
        hits.gender_of_adjective,
        hits.noun,
        hits.gender_of_noun,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from attributes_that_do_not_agree
order by author asc, sentence_id asc, token_index asc
