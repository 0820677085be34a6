with

documents as (

    select * from {{ source('raw', 'conllu_documents') }}

)

select
    project,
    path,
    bytes,
    sha256,
    revision,
    'grc' as language,
    null::varchar as title,
    null::varchar as author,
    []::varchar[] as annotators,
from documents
