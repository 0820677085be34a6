-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06
with

sentences as (

    select * from {{ ref('corpus_sentences').include(database=false) }}

),

projects as (

    select * from {{ ref('corpus_projects').include(database=false) }}

),

-- one row: the sentence asked for, by its own id, a published id or a dedup key
final as (

    select
        sentences.sentence_id,
        sentences.citation,
        sentences.cts_urn,
        sentences.native_text,
        sentences.path,
        sentences.line,
        projects.repository,
        projects.revision,
        projects.license,
    from sentences
    inner join projects
        on sentences.project = projects.project
    where
        sentences.sentence_id = wanted
        or sentences.dedup_key = wanted
        or 's-' || left(sentences.dedup_key, 16) = wanted
    order by sentences.sentence_id != wanted, sentences.fate != 'published', sentences.sentence_number
    limit 1

)

select * from final
