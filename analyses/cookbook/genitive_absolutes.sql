-- Who uses the genitive absolute, and how often?
-- A participle in the genitive that has a subject in the genitive of its own and modifies no noun: one row per
-- participle.
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

-- one row per word under a preposition
with_preposition as (

    select distinct
        sentence_number,
        head,
    from words
    where relation = 'case'

),

-- one row per participle in the genitive with a subject in the genitive, on a verb and under no preposition
hits as (

    select
        participles.author,
        participles.sentence_number,
        participles.sentence_id,
        participles.token_index,
        participles.form as participle,
        string_agg(subjects.form, ' ' order by subjects.token_index) as subject,
        if(min(subjects.token_index) < participles.token_index, 'subject first', 'participle first') as word_order,
    from words as participles
    inner join words as subjects
        on
            participles.sentence_number = subjects.sentence_number
            and participles.token_index = subjects.head
    left join with_preposition
        on
            participles.sentence_number = with_preposition.sentence_number
            and participles.token_index = with_preposition.head
    where
        participles.feat_verbform = 'Part'
        and participles.feat_case = 'Gen'
        and participles.relation in ('advcl', 'obl', 'advmod')
        and subjects.relation in ('nsubj', 'nsubj:pass')
        and subjects.feat_case = 'Gen'
        and with_preposition.head is null
    group by
        participles.author, participles.sentence_number, participles.sentence_id, participles.token_index,
        participles.form

),

genitive_absolutes as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as genitive_absolutes,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.participle,
        hits.subject,
        hits.word_order,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from genitive_absolutes
order by author asc, sentence_id asc, token_index asc
