with

disputed_passages as (

    select * from {{ ref('disputed_passages') }}

),

disputed_sentences as (

    select * from {{ ref('int_catalogue__disputed_sentences') }}

),

works as (

    select * from {{ ref('works') }}

),

published as (

    select * from {{ ref('int_splits__published') }}

),

changed_files as (

    select path from {{ ref('audit_source_files') }}
    where differs_from_pin

),

-- one row per disputed passage that a sentence of the input begins in
counts as (

    select
        disputed_sentences.canonical_work,
        disputed_sentences.path,
        disputed_sentences.from_place,
        count(*) as sentences,
        count(published.sentence_number) as published_sentences,
        sum(published.word_count) as published_words,
    from disputed_sentences
    left join published on disputed_sentences.sentence_number = published.sentence_number
    group by disputed_sentences.canonical_work, disputed_sentences.path, disputed_sentences.from_place

),

-- one row per disputed passage
passages as (

    select
        works.author,
        disputed_passages.canonical_work,
        works.title as work,
        disputed_passages.path,
        disputed_passages.from_place,
        disputed_passages.to_place,
        disputed_passages.note,
        disputed_passages.reason,
        coalesce(counts.sentences, 0)::bigint as sentences,
        coalesce(counts.published_sentences, 0)::bigint as published_sentences,
        coalesce(counts.published_words, 0)::bigint as published_words,
        coalesce(disputed_passages.path in (select changed_files.path from changed_files), false)
            as is_file_changed,
    from disputed_passages
    inner join works on disputed_passages.canonical_work = works.canonical_work
    left join counts
        on
            disputed_passages.canonical_work = counts.canonical_work
            and disputed_passages.path is not distinct from counts.path
            and disputed_passages.from_place = counts.from_place

)

select * from passages
order by canonical_work, path nulls first, {{ natural_order('from_place') }}, from_place
