-- How far do adjectives stand from their nouns?
-- One row per author: adjectives that modify a noun, and the share that is separated from it by a word of neither.
with

tokens as (

    select * from {{ ref('corpus_tokens') }}
    where fate = 'published' and token_index is not null

),

-- one row per adjective that modifies a noun, in agreement
modifiers as (

    select
        adjectives.author,
        adjectives.sentence_id,
        adjectives.token_index as adjective_index,
        nouns.token_index as noun_index,
    from tokens as adjectives
    inner join tokens as nouns
        on
            adjectives.sentence_id = nouns.sentence_id
            and adjectives.head = nouns.token_index
    where
        adjectives.upos = 'ADJ'
        and adjectives.deprel = 'nmod'
        and nouns.upos = 'NOUN'
        and adjectives.feat_case = nouns.feat_case

),

-- one row per such adjective: whether a stranger stands between the two
separated as (

    select
        modifiers.author,
        modifiers.sentence_id,
        modifiers.adjective_index,
        coalesce(
            bool_or(strangers.head not in (modifiers.noun_index, modifiers.adjective_index)), false
        ) as is_separated,
    from modifiers
    left join tokens as strangers
        on
            modifiers.sentence_id = strangers.sentence_id
            and strangers.token_index > least(modifiers.adjective_index, modifiers.noun_index)
            and strangers.token_index < greatest(modifiers.adjective_index, modifiers.noun_index)
    group by modifiers.author, modifiers.sentence_id, modifiers.adjective_index

),

hyperbaton as (

    select
        author,
        count(*) as modifiers,
        round(avg(is_separated::integer), 3) as share_separated,
    from separated
    group by author

)

select * from hyperbaton
order by share_separated desc, author asc
