with

source_lemmas as (

    select * from {{ ref('int_text__lemmas') }}

),

joined_words as (

    select * from {{ ref('joined_words') }}

),

-- one row per lemma
every_lemma as (

    select lemma
    from source_lemmas
    where lemma is not null
    union
    select lemma
    from joined_words
    where lemma is not null

),

-- one row per lemma, folded once
lemmas as (

    select
        lemma,
        {{ fold('lemma') }} as lemma_folded,
    from every_lemma

)

select * from lemmas
