with

sentences as (

    select * from {{ source('raw', 'conllu_sentences') }}

)

select
    project,
    path,
    position,
    line,
    sent_id as source_sentence_id,
    newdoc_id as document_id,
    null::varchar as subdoc,
    null::varchar as source_flag,
    source as source_comment,
    text as source_text,
    []::varchar[] as annotators,
from sentences
