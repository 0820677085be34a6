with

files as (

    select * from {{ source('raw', 'files') }}

),

-- one row per expected or found file
source_files as (

    select
        project,
        path,
        status,
        bytes,
        sha256,
        coalesce(
            starts_with(note, 'substituted')
            or (status <> 'absent' and expected_sha256 <> '' and sha256 is distinct from expected_sha256),
            false
        ) as differs_from_pin,
    from files

)

select * from source_files
order by project, path
