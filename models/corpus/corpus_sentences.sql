with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

fates as (

    select * from {{ ref('corpus_sentence_fates') }}

),

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where track = 'sentence' and not is_remainder

),

-- one row per sentence read
corpus_sentences as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        sentences.source_sentence_id,
        sentences.document_id,
        sentences.author,
        sentences.work,
        sentences.work_id,
        sentences.canonical_work,
        sentences.genre,
        sentences.cts_urn,
        sentences.passage,
        texts.text,
        texts.dedup_key,
        fates.fate,
        assignments.split,
        fates.survivor_id,
        sentences.sentence_number,
        texts.word_count,
        sentences.line,
    from sentences
    inner join texts
        on sentences.sentence_number = texts.sentence_number
    inner join fates
        on sentences.sentence_id = fates.sentence_id
    left join assignments
        on sentences.sentence_number = assignments.sentence_number

)

select * from corpus_sentences
order by sentence_number
