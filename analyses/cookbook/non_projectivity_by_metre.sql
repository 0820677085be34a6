-- Is verse less projective than prose?
-- One row per author and genre: words whose subtree is broken by a word of another one, with the shortest such
-- sentence.
with

words as (

    select * from {{ ref('corpus_words') }}

),

nodes as (

    select * from {{ ref('corpus_nodes') }}
    where
        layer = 'ud'
        and scope <= 2

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

-- one row per word that breaks the subtree of another word
breaks as (

    select
        nodes.sentence_number,
        nodes.position,
        unnest(nodes.subtree_gaps) as breaker,
    from nodes
    where nodes.subtree_gaps is not null

),

-- one row per word whose subtree is broken by more than adverbs, particles and conjunctions
broken as (

    select
        breaks.sentence_number,
        breaks.position,
    from breaks
    inner join words
        on
            breaks.sentence_number = words.sentence_number
            and breaks.breaker = words.token_index
    group by breaks.sentence_number, breaks.position
    having bool_or(words.ud_upos not in ('ADV', 'PART', 'CCONJ', 'SCONJ', 'INTJ'))

),

-- one row per author and genre
genres as (

    select
        words.author,
        words.genre,
        count(*) as words,
        count(*) filter (where not words.is_projective) as broken_by_any,
        count(broken.position) as broken_by_others,
        arg_min(
            if(broken.position is not null, words.sentence_number, null), (sentences.word_count, words.sentence_number)
        ) as example,
    from words
    inner join sentences
        on words.sentence_number = sentences.sentence_number
    left join broken
        on
            words.sentence_number = broken.sentence_number
            and words.token_index = broken.position
    group by words.author, words.genre
    having count(*) >= 1000

),

non_projectivity_by_metre as (

    select
        coalesce(genres.author, '(no author)') as author,
        genres.genre,
        if(genres.genre in ('epic', 'hymn', 'tragedy', 'comedy', 'lyric', 'iambic'), 'verse', 'prose') as metre,
        genres.words,
        round(10000.0 * genres.broken_by_others / genres.words, 1) as per_10000_words,
        round(10000.0 * genres.broken_by_any / genres.words, 1) as with_particles_per_10000_words,
        sentences.citation,
        sentences.native_text as sentence,
        sentences.sentence_id,
    from genres
    left join sentences
        on genres.example = sentences.sentence_number

)

select * from non_projectivity_by_metre
order by per_10000_words desc, author asc, genre asc
