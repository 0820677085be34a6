-- Which relatives take the case of their antecedent instead of that of their own clause?
-- One row per relative in the genitive or dative, as its antecedent, that is the object of a verb which else has
-- accusatives: nine for one in that case.
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

-- one row per verb with the cases of its objects, relatives left out
governments as (

    select
        verbs.lemma,
        count(*) filter (where objects.feat_case = 'Acc') as accusatives,
        count(*) filter (where objects.feat_case = 'Gen') as genitives,
        count(*) filter (where objects.feat_case = 'Dat') as datives,
    from words as objects
    inner join words as verbs
        on
            objects.sentence_number = verbs.sentence_number
            and objects.head = verbs.token_index
    where
        objects.relation = 'obj'
        and objects.lemma not in ('ὅς', 'ὅσος', 'οἷος', 'ὅσπερ', 'ὅστις')
        and verbs.lemma is not null
    group by verbs.lemma

),

-- one row per relative that is an object in the case of its antecedent
hits as (

    select
        relatives.author,
        relatives.sentence_number,
        relatives.sentence_id,
        relatives.token_index,
        antecedents.form as antecedent,
        relatives.form as relative,
        verbs.form as verb,
        relatives.feat_case as case_of_both,
    from words as relatives
    inner join words as verbs
        on
            relatives.sentence_number = verbs.sentence_number
            and relatives.head = verbs.token_index
    inner join words as antecedents
        on
            verbs.sentence_number = antecedents.sentence_number
            and verbs.head = antecedents.token_index
    inner join governments
        on verbs.lemma = governments.lemma
    where
        relatives.lemma in ('ὅς', 'ὅσος', 'οἷος', 'ὅσπερ')
        and relatives.relation = 'obj'
        and governments.accusatives >= 5
        and (
            relatives.feat_case = 'Gen' and governments.accusatives >= 9 * governments.genitives
            or relatives.feat_case = 'Dat' and governments.accusatives >= 9 * governments.datives
        )
        and verbs.relation in ('acl', 'acl:relcl')
        and antecedents.feat_case = relatives.feat_case
        and antecedents.token_index < relatives.token_index

),

attracted_relatives as (

    select
        coalesce(hits.author, '(no author)') as author,
        count(*) over (partition by hits.author) as attractions,
        round(10000.0 * count(*) over (partition by hits.author) / authors.words, 1) as per_10000_words,
        sentences.citation,
        hits.antecedent,
        hits.relative,
        hits.verb,
        hits.case_of_both,
        sentences.native_text as sentence,
        hits.sentence_id,
        hits.token_index,
    from hits
    inner join authors
        on hits.author is not distinct from authors.author
    inner join sentences
        on hits.sentence_number = sentences.sentence_number

)

select * from attracted_relatives
order by author asc, sentence_id asc, token_index asc
