with

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

sentence_documents as (

    select * from {{ ref('int_catalogue__sentence_documents') }}

),

documents as (

    select * from {{ ref('int_catalogue__documents') }}

),

projects as (

    select * from {{ ref('projects') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

-- one row per sentence whose tokens carry a citation: the first one
citations as (

    select
        sentence_number,
        arg_min(citation, source_index) as first_citation,
    from tokens
    where citation is not null
    group by sentence_number

),

-- one row per sentence: where the source says it stands
cited as (

    select
        sentences.sentence_number,
        regexp_extract(sentences.document_id, 'urn:cts:[^: ]+:[^: ]+') as document_urn,
        regexp_extract(citations.first_citation, '^urn:cts:[^: ]+:[^: ]+') as citation_urn,
        case
            -- a whole URN in place of the passage
            when sentences.subdoc like 'urn:cts:%' then split_part(sentences.subdoc, ':', -1)
            when sentences.subdoc is not null then sentences.subdoc
            when projects.passage_pattern is not null
                then replace(regexp_extract(sentences.source_sentence_id, projects.passage_pattern, 1), ':', '.')
            when citations.first_citation like 'urn:cts:%'
                then split_part(split_part(citations.first_citation, ' ', 1), ':', -1)
            else citations.first_citation
        end as source_passage,
    from sentences
    inner join projects
        on sentences.project = projects.project
    left join citations
        on sentences.sentence_number = citations.sentence_number

),

-- one row per sentence, numbers of spreadsheets mended
passages as (

    select
        sentence_number,
        document_urn,
        citation_urn,
        nullif(source_passage, '') as source_passage,
        {{ mended_passage("nullif(source_passage, '')") }} as passage,
    from cited

),

-- one row per sentence read, with the decision about its document
catalogue_sentences as (

    select
        sentences.sentence_number,
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.path_rank,
        sentences.position,
        sentences.line,
        sentences.source_sentence_id,
        sentences.document_id,
        sentences.subdoc,
        sentences.source_flag,
        sentence_documents.document_match,
        documents.author,
        documents.work,
        documents.document_title,
        documents.work_id,
        documents.canonical_work,
        documents.genre,
        documents.decision,
        documents.decision_reason,
        case
            when passages.passage is null then null
            when passages.document_urn <> ''
                then passages.document_urn || ':' || replace(passages.passage, ' ', '')
            when passages.citation_urn <> ''
                then passages.citation_urn || ':' || replace(passages.passage, ' ', '')
        end as cts_urn,
        passages.passage,
        passages.source_passage,
        sentences.annotators,
        projects.source_priority,
    from sentences
    inner join sentence_documents
        on sentences.sentence_number = sentence_documents.sentence_number
    inner join documents
        on
            sentence_documents.project = documents.project
            and sentence_documents.document_match = documents.document_match
    inner join passages
        on sentences.sentence_number = passages.sentence_number
    inner join projects
        on sentences.project = projects.project

)

select * from catalogue_sentences
