with

documents as (

    {{ union_staging(
        'documents',
        ['project', 'path', 'bytes', 'sha256', 'revision', 'language', 'title', 'author', 'annotators'],
        native_projects() + ud_projects()
    ) }}

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
