with

projects as (

    select * from {{ ref('corpus_projects').include(database=false) }}

),

{{ wanted_sentence() }},

-- one row: the sentence with where it comes from
citations as (

    select
        subjects.sentence_id,
        subjects.citation,
        subjects.cts_urn,
        subjects.native_text,
        subjects.path,
        subjects.line,
        projects.repository,
        projects.revision,
        projects.license,
    from subjects
    inner join projects
        on subjects.project = projects.project

)

select * from citations
