-- How far behind the second place does γάρ stand?
-- One row per γάρ of a main clause with two full words or more before it; the share is that of the author's γάρ.
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

-- one row per γάρ that depends on the root of its sentence
connectives as (

    select * from words
    where
        lemma = 'γάρ'
        and depth = 2

),

-- one row per word; articles, prepositions, particles and vocatives are no full words
marked as (

    select
        sentence_number,
        token_index,
        form,
        relation not in ('case', 'cc', 'det', 'discourse', 'mark', 'vocative')
        and ud_upos not in ('ADP', 'CCONJ', 'DET', 'INTJ', 'PART', 'SCONJ')
        and coalesce(lemma, '') not in ('ἀλλά', 'γε', 'δή', 'καί', 'μέν', 'μή', 'οὐ', 'οὐδέ', 'τε') as is_full,
    from words

),

-- one row per such γάρ that has a word before it, with the words before it
places as (

    select
        connectives.author,
        connectives.sentence_number,
        connectives.sentence_id,
        connectives.token_index,
        string_agg(before.form, ' ' order by before.token_index) as words_before,
        count(*) filter (where before.is_full) as full_words_before,
    from connectives
    inner join marked as before
        on
            connectives.sentence_number = before.sentence_number
            and connectives.token_index > before.token_index
    group by connectives.author, connectives.sentence_number, connectives.sentence_id, connectives.token_index

),

-- one row per late γάρ; how many there are in all is counted before the others are left out
hits as (

    select
        *,
        round(avg((full_words_before >= 2)::integer) over (partition by author), 3) as share_late,
    from places
    qualify full_words_before >= 2

),

late_particles as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as late_particles,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.full_words_before,
        hits.words_before,
        hits.share_late,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from late_particles
order by author asc, sentence_id asc, token_index asc
