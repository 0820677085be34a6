-- One row per file whose rows do not add up: counted in the file, read, and lost to rejects.
with

files as (

    select * from {{ source('raw', 'files') }}

),

tokens as (

    select
        sentences.project,
        sentences.path,
        count(*) as rows_in_warehouse,
    from {{ ref('int_reading__tokens') }} as tokens
    inner join {{ ref('int_reading__sentences') }} as sentences
        on tokens.sentence_number = sentences.sentence_number
    group by sentences.project, sentences.path

),

rejects as (

    select
        project,
        path,
        sum(rows_lost) as rows_lost,
    from {{ source('raw', 'rejects') }}
    group by project, path

)

select
    files.project,
    files.path,
    files.status,
    files.rows_in_file,
    files.rows_read,
    tokens.rows_in_warehouse,
    rejects.rows_lost,
from files
left join tokens
    on
        files.project = tokens.project
        and files.path = tokens.path
left join rejects
    on
        files.project = rejects.project
        and files.path = rejects.path
where
    files.status <> 'absent'
    and (
        coalesce(files.rows_in_file, 0) <> coalesce(tokens.rows_in_warehouse, 0) + coalesce(rejects.rows_lost, 0)
        or coalesce(files.rows_read, 0) <> coalesce(tokens.rows_in_warehouse, 0)
    )
