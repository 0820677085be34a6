-- one row per file and attribute
select
    project,
    path,
    attribute,
    words,
    filled,
    filled / words as share,
from {{ source('raw', 'file_attributes') }}
