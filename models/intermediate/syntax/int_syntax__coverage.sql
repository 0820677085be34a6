with

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

corpus_tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

missing_labels as (

    select * from {{ ref('missing_labels') }}

),

-- one row per sentence with published tokens: how many of them have what
counts as (

    select
        trees.sentence_number,
        count(*) as words,
        count(*) filter (where left(morphology.tag, 1) <> '-') as tags,
        count(*) filter (
            where missing_labels.label is null
        ) as relations,
        count(*) filter (where trees.head_repair is distinct from 'missing_head') as heads,
        count(text_tokens.lemma) as lemmas,
    from trees
    inner join corpus_tokens
        on trees.gid = corpus_tokens.gid
    inner join text_tokens
        on trees.gid = text_tokens.gid
    inner join morphology
        on trees.gid = morphology.gid
    left join missing_labels
        on coalesce(nullif(trim(corpus_tokens.native_relation), ''), '(empty)') = missing_labels.label
    group by trees.sentence_number

),

-- one row per sentence with published tokens
coverage as (

    select
        sentence_number,
        words,
        tags,
        relations,
        heads,
        lemmas,
        least(tags, relations, heads) >= words * {{ var('min_annotated_share') }} as is_annotated,
    from counts

)

select * from coverage
