-- How often does the finite verb of a main clause stand last?
-- One row per author: main clauses with a finite verb as root, and the share of them that end with it.
with

tokens as (

    select * from {{ ref('corpus_tokens') }}
    where fate = 'published' and token_index is not null

),

-- one row per sentence: its number of words
lengths as (

    select
        sentence_id,
        max(token_index) as words,
    from tokens
    group by sentence_id

),

-- one row per sentence with a finite verb as root
main_verbs as (

    select
        tokens.author,
        tokens.sentence_id,
        tokens.token_index,
        lengths.words,
    from tokens
    inner join lengths
        on tokens.sentence_id = lengths.sentence_id
    where
        tokens.head = 0
        and tokens.feat_verbform = 'Fin'

),

clause_final_verbs as (

    select
        author,
        count(*) as main_clauses,
        round(avg((token_index = words)::integer), 3) as share_verb_last,
    from main_verbs
    group by author

)

select * from clause_final_verbs
order by share_verb_last desc, author asc
