with

sentences as (

    select * from {{ source('raw', 'native_xml_sentences') }}

)

select
    project,
    path,
    position,
    line,
    id as source_sentence_id,
    document_id,
    nullif(trim(subdoc), '') as subdoc,
    nullif(trim(corrupt), '') as source_flag,
    null::varchar as source_comment,
    null::varchar as source_text,
    annotators,
from sentences
