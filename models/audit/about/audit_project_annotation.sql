with

coverage as (

    select * from {{ ref('int_syntax__coverage') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per project with published tokens
counts as (

    select
        sentences.project,
        count(*) as sentences,
        count(*) filter (where not coverage.is_annotated) as unannotated_sentences,
        sum(coverage.words)::bigint as words,
        sum(coverage.tags)::bigint as tags,
        sum(coverage.relations)::bigint as relations,
        sum(coverage.heads)::bigint as heads,
        sum(coverage.lemmas)::bigint as lemmas,
    from coverage
    inner join sentences
        on coverage.sentence_number = sentences.sentence_number
    group by sentences.project

),

-- the same as shares
annotation as (

    select
        project,
        sentences,
        unannotated_sentences,
        unannotated_sentences / sentences as share_unannotated,
        words,
        tags / words as share_with_tag,
        relations / words as share_with_relation,
        heads / words as share_with_head,
        lemmas / words as share_with_lemma,
    from counts

)

select * from annotation
order by project
