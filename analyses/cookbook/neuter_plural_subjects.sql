-- Is the verb of a subject in the neuter plural in the singular?
-- One row per subject with a finite verb; the share of singulars is that of the author.
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

-- one row per word with which another one is coordinated
with_conjunct as (

    select distinct
        sentence_number,
        head,
    from words
    where relation = 'conj'

),

-- one row per subject in the neuter plural with a finite verb of the third person
hits as (

    select
        subjects.author,
        subjects.sentence_number,
        subjects.sentence_id,
        subjects.token_index,
        subjects.form as subject,
        verbs.form as verb,
        verbs.feat_number as number_of_verb,
        round(avg((verbs.feat_number = 'Sing')::integer) over (partition by subjects.author), 3) as share_singular,
    from words as subjects
    inner join words as verbs
        on
            subjects.sentence_number = verbs.sentence_number
            and subjects.head = verbs.token_index
    left join with_conjunct
        on
            subjects.sentence_number = with_conjunct.sentence_number
            and subjects.token_index = with_conjunct.head
    where
        subjects.relation in ('nsubj', 'nsubj:pass')
        and subjects.feat_case = 'Nom'
        and subjects.feat_gender = 'Neut'
        and subjects.feat_number = 'Plur'
        and verbs.feat_verbform = 'Fin'
        and verbs.feat_person = '3'
        -- with a second subject of another gender the verb is in the plural by another rule
        and with_conjunct.head is null

),

neuter_plural_subjects as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as subjects,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.subject,
        hits.verb,
        hits.number_of_verb,
        hits.share_singular,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from neuter_plural_subjects
order by author asc, sentence_id asc, token_index asc
