with

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

projects as (

    select * from {{ ref('projects') }}

),

decisions as (

    select
        project,
        document_match,
    from {{ ref('documents') }}

),

-- one row per sentence with what its project names documents in
labelled as (

    select
        sentences.sentence_number,
        sentences.project,
        coalesce(
            case projects.document_name_place
                when 'path' then sentences.path
                when 'source_sentence_id' then sentences.source_sentence_id
                when 'source_comment' then sentences.source_comment
            end,
            ''
        ) as label,
    from sentences
    inner join projects
        on sentences.project = projects.project

),

-- one row per distinct label with the name under which its document may stand in the decisions
named as (

    select
        labels.project,
        labels.label,
        regexp_extract(labels.label, projects.document_name_pattern, 1) as document_name,
        projects.document_name_continues,
    from (
        select distinct
            project,
            label,
        from labelled
    ) as labels
    inner join projects
        on labels.project = projects.project

),

-- one row per distinct label with its document: the decided one, else the name that no decision knows
matched as (

    select
        named.project,
        named.label,
        coalesce(
            arg_max(decisions.document_match, (length(decisions.document_match), decisions.document_match)),
            named.document_name
        ) as document_match,
    from named
    left join decisions
        on
            named.project = decisions.project
            and (
                named.document_name = decisions.document_match
                or (
                    named.document_name_continues
                    and regexp_matches(
                        named.document_name,
                        '^' || regexp_escape(decisions.document_match) || '([ ,]|$)'
                    )
                )
            )
    group by named.project, named.label, named.document_name

),

-- one row per sentence
sentence_documents as (

    select
        labelled.sentence_number,
        labelled.project,
        matched.document_match,
    from labelled
    inner join matched
        on
            labelled.project = matched.project
            and labelled.label = matched.label

)

select * from sentence_documents
