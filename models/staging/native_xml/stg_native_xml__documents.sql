with

documents as (

    select * from {{ source('raw', 'native_xml_documents') }}

)

select
    project,
    path,
    bytes,
    sha256,
    revision,
    language,
    title,
    author,
    annotators,
from documents
