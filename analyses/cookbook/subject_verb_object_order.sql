-- In which order do subject, verb and object stand?
-- One row per finite verb with one subject and one object; the share is that of this order among the author's.
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

-- one row per finite verb with one noun or name as subject and one as object
hits as (

    select
        verbs.author,
        verbs.sentence_number,
        verbs.sentence_id,
        verbs.token_index,
        subjects.form as subject,
        verbs.form as verb,
        objects.form as object,
        -- the letters sorted by the places before them, then without the places
        regexp_replace(
            array_to_string(
                list_sort([
                    lpad(subjects.token_index::varchar, 4, '0') || 'S',
                    lpad(verbs.token_index::varchar, 4, '0') || 'V',
                    lpad(objects.token_index::varchar, 4, '0') || 'O',
                ]),
                ''
            ),
            '[0-9]',
            '',
            'g'
        ) as word_order,
    from words as verbs
    inner join words as subjects
        on
            verbs.sentence_number = subjects.sentence_number
            and verbs.token_index = subjects.head
    inner join words as objects
        on
            verbs.sentence_number = objects.sentence_number
            and verbs.token_index = objects.head
    where
        verbs.feat_verbform = 'Fin'
        and subjects.relation = 'nsubj'
        and subjects.ud_upos in ('NOUN', 'PROPN')
        and objects.relation = 'obj'
        and objects.ud_upos in ('NOUN', 'PROPN')
        and objects.feat_case = 'Acc'
    qualify count(*) over (partition by verbs.sentence_number, verbs.token_index) = 1

),

subject_verb_object_order as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as clauses,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.subject,
        hits.verb,
        hits.object,
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

select * from subject_verb_object_order
order by author asc, sentence_id asc, token_index asc
