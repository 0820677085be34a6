-- Which sentences end with their main verb?
-- One row per sentence whose root is a finite verb and stands last; the share is that of the author's main clauses.
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

-- one row per sentence of three words or more with a finite verb as root
main_verbs as (

    select
        words.*,
        words.token_index = sentences.word_count as is_last,
        round(avg((words.token_index = sentences.word_count)::integer) over (partition by words.author), 3)
            as share_verb_last,
        sentences.citation,
        sentences.native_text as sentence,
    from words
    inner join sentences
        on words.sentence_number = sentences.sentence_number
    where
        words.head = 0
        and words.feat_verbform = 'Fin'
        and sentences.word_count >= 3

),

clause_final_verbs as (

    select
        coalesce(main_verbs.author, '(no author)') as author,
        count(*) over (partition by main_verbs.author) as clauses,
        round(10000.0 * count(*) over (partition by main_verbs.author) / authors.words, 1) as per_10000_words,
        main_verbs.citation,
        main_verbs.form as verb,
        main_verbs.share_verb_last,
        main_verbs.sentence,
        main_verbs.sentence_id,
        main_verbs.token_index,
    from main_verbs
    inner join authors
        on main_verbs.author is not distinct from authors.author
    where main_verbs.is_last

)

select * from clause_final_verbs
order by author asc, sentence_id asc, token_index asc
