with

documents as (

    select * from {{ ref('stg_native_xml__documents') }}
    union all
    select * from {{ ref('stg_conllu__documents') }}

),

-- one row per file, ranked in natural order inside its project
ranked as (

    select
        project,
        path,
        row_number() over (
            partition by project
            order by {{ natural_order('path') }}, path
        )::integer as path_rank,
        bytes,
        sha256,
        revision,
        language,
        title,
        author,
        annotators,
    from documents

)

select * from ranked
