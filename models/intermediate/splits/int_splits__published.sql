with

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where not is_remainder

),

entered as (

    select * from {{ ref('int_splits__entered') }}

),

-- one row per distinct published sentence, on whatever track
published_sentences as (

    select
        sentence_number,
        published_id as id,
        author,
        canonical_work,
        treebank_source as project,
        word_count,
    from entered
    where sentence_number in (select assignments.sentence_number from assignments)

)

select * from published_sentences
