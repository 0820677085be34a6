with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

projects as (

    select * from {{ ref('projects') }}

),

documents as (

    select * from {{ ref('int_reading__documents') }}

),

-- one row per sentence read: the sentence that stands for it among exact copies, mostly itself
represented as (

    select
        sentence_number as record_number,
        case
            when outcome = 'exact_duplicate' then survivor_number
            else sentence_number
        end as sentence_number,
    from outcomes

),

-- one row per sentence and record that it rests on, in the order of source priority
source_records as (

    select
        survivors.sentence_id,
        row_number() over (
            partition by survivors.sentence_number
            order by
                records.sentence_number <> survivors.sentence_number,
                records.source_priority,
                records.path_rank,
                records.position,
                records.sentence_number
        )::integer as record_index,
        records.sentence_id as record_id,
        records.project,
        records.path,
        records.source_sentence_id,
        records.document_id,
        records.document_title,
        documents.revision,
        'https://github.com/' || projects.repository || '/blob/' || documents.revision || '/'
        || replace(url_encode(records.path), '%2F', '/') as url,
        projects.licence as license,
        records.annotators,
        projects.syntax_scheme,
    from represented
    inner join sentences as records
        on represented.record_number = records.sentence_number
    inner join sentences as survivors
        on represented.sentence_number = survivors.sentence_number
    inner join projects
        on records.project = projects.project
    inner join documents
        on
            records.project = documents.project
            and records.path = documents.path

)

select * from source_records
order by sentence_id, record_index
