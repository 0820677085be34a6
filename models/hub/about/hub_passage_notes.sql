with

sentences as (

    select * from {{ ref('hub_sentences') }}
    where passage_note is not null

),

works as (

    select * from {{ ref('works') }}

),

-- one row per work and note
passage_notes as (

    select
        sentences.author,
        sentences.canonical_work,
        works.title as work,
        sentences.passage_note,
        count(*)::bigint as sentences,
    from sentences
    inner join works on sentences.canonical_work = works.canonical_work
    group by sentences.author, sentences.canonical_work, works.title, sentences.passage_note

)

select * from passage_notes
order by author, canonical_work, passage_note
