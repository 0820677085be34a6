-- Who uses the genitive absolute, and how often?
-- A participle in the genitive that has a subject in the genitive of its own and does not modify a noun.
-- One row per author: sentences, candidates, and candidates per hundred sentences.
with

tokens as (

    select * from {{ ref('corpus_tokens') }}
    where fate = 'published' and token_index is not null

),

-- one row per participle with a subject in the genitive
absolutes as (

    select distinct
        participles.author,
        participles.sentence_id,
        participles.token_index,
    from tokens as participles
    inner join tokens as subjects
        on
            participles.sentence_id = subjects.sentence_id
            and participles.token_index = subjects.head
    where
        participles.feat_verbform = 'Part'
        and participles.feat_case = 'Gen'
        and participles.deprel in ('obl', 'advmod', 'conj')
        and subjects.deprel = 'nsubj'
        and subjects.feat_case = 'Gen'

),

-- one row per author
sizes as (

    select
        author,
        count(distinct sentence_id) as sentences,
    from tokens
    group by author

),

hits as (

    select
        sizes.author,
        sizes.sentences,
        count(absolutes.token_index) as genitive_absolutes,
        round(100.0 * count(absolutes.token_index) / sizes.sentences, 1) as per_hundred_sentences,
    from sizes
    left join absolutes
        on sizes.author = absolutes.author
    group by sizes.author, sizes.sentences

)

select * from hits
order by per_hundred_sentences desc, author asc
