with

documents as (

    select * from {{ ref('int_reading__documents') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

-- one row per file: what it says of its language, and in how many sentences a Greek letter stands
counts as (

    select
        documents.project,
        documents.path,
        documents.language as declared_language,
        count(*) as sentences,
        count(*) filter (where texts.word_count > 0) as sentences_with_greek,
    from documents
    inner join sentences
        on
            documents.project = sentences.project
            and documents.path = sentences.path
    inner join texts
        on sentences.sentence_number = texts.sentence_number
    group by documents.project, documents.path, documents.language

),

document_languages as (

    select
        *,
        case
            when declared_language = 'grc' and sentences_with_greek < sentences
                then 'sentences without Greek in a Greek file'
            when declared_language <> 'grc' and sentences_with_greek > 0
                then 'Greek sentences in a file of another language'
            when declared_language is null
                then 'no language declared'
        end as finding,
    from counts

)

select * from document_languages
