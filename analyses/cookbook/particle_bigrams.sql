-- Which two particles stand side by side most often?
-- One row per pair of neighbouring particles that occurs at least ten times, with the author of 10,000 words or more
-- who has most of it.
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

-- one row per particle
particles as (

    select * from words
    where
        ud_upos in ('ADV', 'CCONJ', 'PART')
        and lemma in (
            'ἀλλά', 'ἄν', 'ἄρα', 'αὖ', 'γάρ', 'γε', 'γοῦν', 'δέ', 'δή', 'δῆτα', 'καί', 'μέν', 'μέντοι', 'μήν', 'οὖν',
            'περ', 'που', 'τε', 'τοι', 'τοίνυν'
        )

),

-- one row per author and pair, with the first place where it stands
pairs as (

    select
        firsts.author,
        firsts.lemma || ' ' || seconds.lemma as particles,
        count(*) as occurrences,
        min(firsts.sentence_number) as example,
    from particles as firsts
    inner join particles as seconds
        on
            firsts.sentence_number = seconds.sentence_number
            and firsts.token_index + 1 = seconds.token_index
    group by firsts.author, firsts.lemma, seconds.lemma

),

-- one row per author and pair, those of an author with the share among his words
rated as (

    select
        pairs.*,
        pairs.author is not null and authors.words >= 10000 as is_rated,
        10000.0 * pairs.occurrences / authors.words as rate,
    from pairs
    inner join authors
        on pairs.author is not distinct from authors.author

),

-- one row per pair
most_used as (

    select
        particles,
        sum(occurrences)::integer as occurrences,
        arg_max(if(is_rated, author, null), (is_rated, rate, author)) as most_by,
        max(if(is_rated, rate, null)) as per_10000_words,
        arg_max(if(is_rated, example, null), (is_rated, rate, author)) as example,
    from rated
    group by particles
    having sum(occurrences) >= 10

),

particle_bigrams as (

    select
        most_used.particles,
        most_used.occurrences,
        most_used.most_by,
        round(most_used.per_10000_words, 1) as per_10000_words,
        sentences.citation,
        sentences.native_text as sentence,
        sentences.sentence_id,
    from most_used
    left join sentences
        on most_used.example = sentences.sentence_number

)

select * from particle_bigrams
order by occurrences desc, particles asc
