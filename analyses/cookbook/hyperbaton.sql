-- Which adjectives are cut off from their noun by a verb?
-- The verb stands between the two and not under the noun: one row per adjective.
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

nodes as (

    select * from {{ ref('corpus_nodes') }}
    where
        layer = 'ud'
        and scope <= 2

),

-- one row per adjective that agrees with the noun it modifies, with the verbs between the two that are not below the
-- noun: there, these are the gaps of its subtree
hits as (

    select
        adjectives.author,
        adjectives.sentence_number,
        adjectives.sentence_id,
        adjectives.token_index,
        adjectives.form as adjective,
        nouns.form as noun,
        string_agg(verbs.form, ' ' order by verbs.token_index) as verbs_between,
        nouns.position - adjectives.token_index as distance,
    from words as adjectives
    inner join nodes as nouns
        on
            adjectives.sentence_number = nouns.sentence_number
            and adjectives.head = nouns.position
    inner join words as verbs
        on
            nouns.sentence_number = verbs.sentence_number
            and list_contains(nouns.subtree_gaps, verbs.token_index)
            and verbs.token_index > least(adjectives.token_index, nouns.position)
            and verbs.token_index < greatest(adjectives.token_index, nouns.position)
    where
        adjectives.ud_upos = 'ADJ'
        and adjectives.relation in ('amod', 'nmod')
        and nouns.upos = 'NOUN'
        and adjectives.feat_case = nouns.feat_case
        and adjectives.feat_number = nouns.feat_number
        and verbs.ud_upos = 'VERB'
    group by
        adjectives.author, adjectives.sentence_number, adjectives.sentence_id, adjectives.token_index,
        adjectives.form, nouns.form, nouns.position

),

hyperbaton as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as hyperbata,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.adjective,
        hits.noun,
        hits.verbs_between,
        hits.distance,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from hyperbaton
order by author asc, sentence_id asc, token_index asc
