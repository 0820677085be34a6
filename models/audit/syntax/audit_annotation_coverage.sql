with

coverage as (

    select * from {{ ref('int_syntax__coverage') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per file with published tokens
files as (

    select
        sentences.project,
        sentences.path,
        count(*) as sentences,
        count(*) filter (where not coverage.is_annotated) as unannotated_sentences,
        sum(coverage.words)::bigint as words,
        sum(coverage.tags) / sum(coverage.words) as share_with_tag,
        sum(coverage.relations) / sum(coverage.words) as share_with_relation,
        sum(coverage.heads) / sum(coverage.words) as share_with_head,
        sum(coverage.lemmas) / sum(coverage.words) as share_with_lemma,
    from coverage
    inner join sentences
        on coverage.sentence_number = sentences.sentence_number
    group by sentences.project, sentences.path

)

select * from files
