with


files as (

    select
        project,
        count(*) filter (where status <> 'absent')::integer as files_read,
        count(*) filter (where status = 'absent')::integer as files_absent,
    from {{ source('raw', 'files') }}
    group by project

),

sentences as (

    select
        project,
        count(*)::integer as sentences,
    from {{ ref('int_reading__sentences') }}
    group by project

),

tokens as (

    select
        project,
        count(*)::integer as tokens,
    from {{ ref('int_reading__tokens') }}
    group by project

),

-- one row per project
corpus_projects as (

    select
        projects.project,
        projects.repository,
        projects.revision,
        projects.revision_date,
        projects.format,
        projects.syntax_scheme,
        projects.licence as license,
        projects.licence_url as license_url,
        projects.attribution,
        projects.source_priority,
        coalesce(files.files_read, 0) as files_read,
        coalesce(files.files_absent, 0) as files_absent,
        coalesce(sentences.sentences, 0) as sentences,
        coalesce(tokens.tokens, 0) as tokens,
    from {{ ref('projects') }} as projects
    left join files
        on projects.project = files.project
    left join sentences
        on projects.project = sentences.project
    left join tokens
        on projects.project = tokens.project

)

select * from corpus_projects
order by source_priority, project
