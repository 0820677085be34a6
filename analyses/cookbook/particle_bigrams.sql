-- Which two particles stand side by side most often?
-- One row per pair of neighbouring particles that occurs at least ten times, with the author who uses it most.
with

particles as (

    select * from {{ ref('corpus_tokens') }}
    where
        fate = 'published'
        and token_index is not null
        and upos = 'ADV'
        and lemma in (
            'ἀλλά', 'ἄν', 'ἄρα', 'αὖ', 'γάρ', 'γε', 'γοῦν', 'δέ', 'δή', 'δῆτα', 'καί', 'μέν', 'μέντοι', 'μήν', 'οὖν',
            'περ', 'που', 'τε', 'τοι', 'τοίνυν'
        )

),

-- one row per author and pair
pairs as (

    select
        firsts.author,
        firsts.lemma || ' ' || seconds.lemma as particles,
        count(*) as occurrences,
    from particles as firsts
    inner join particles as seconds
        on
            firsts.sentence_id = seconds.sentence_id
            and firsts.token_index + 1 = seconds.token_index
    group by firsts.author, particles

),

particle_bigrams as (

    select
        particles,
        sum(occurrences)::integer as occurrences,
        arg_max(author, (occurrences, author)) as most_by,
    from pairs
    group by particles
    having sum(occurrences) >= 10

)

select * from particle_bigrams
order by occurrences desc, particles asc
