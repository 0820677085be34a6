with

documents as (

    select * from {{ ref('int_reading__documents') }}

),

sentences as (

    select * from {{ ref('stg_native_xml__sentences') }}
    union all
    select * from {{ ref('stg_conllu__sentences') }}

),

-- one row per sentence, numbered in one total order over all projects
numbered as (

    select
        row_number() over (
            order by sentences.project, documents.path_rank, sentences.position
        )::integer as sentence_number,
        sentences.project || '/' || sentences.path || '#' || sentences.position as sentence_id,
        sentences.project,
        sentences.path,
        documents.path_rank,
        sentences.position,
        sentences.line,
        sentences.source_sentence_id,
        sentences.document_id,
        sentences.subdoc,
        sentences.source_flag,
        sentences.source_comment,
        sentences.source_text,
        case
            when array_length(sentences.annotators) > 0 then sentences.annotators else documents.annotators
        end as annotators,
    from sentences
    inner join documents
        on
            sentences.project = documents.project
            and sentences.path = documents.path

)

select * from numbered
