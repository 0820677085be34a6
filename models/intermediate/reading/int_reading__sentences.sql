with

documents as (

    select * from {{ ref('int_reading__documents') }}

),

native as (

    {{ union_staging(
        'sentences',
        [
            'project', 'path', 'position', 'line', 'source_sentence_id', 'document_id', 'subdoc', 'source_flag',
            'null::varchar as source_comment', 'null::varchar as source_text', 'annotators'
        ],
        native_projects()
    ) }}

),

ud as (

    {{ union_staging(
        'sentences',
        [
            'project', 'path', 'position', 'line', 'source_sentence_id', 'newdoc_id as document_id',
            'null::varchar as subdoc', 'null::varchar as source_flag', 'source_comment', 'source_text',
            '[]::varchar[] as annotators'
        ],
        ud_projects()
    ) }}

),

sentences as (

    select * from native
    union all
    select * from ud

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
            when len(sentences.annotators) > 0 then sentences.annotators else documents.annotators
        end as annotators,
    from sentences
    inner join documents
        on
            sentences.project = documents.project
            and sentences.path = documents.path

)

select * from numbered
