with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

-- one row per distinct lemma as read
vocabulary as (

    select distinct
        native_lemma,
        {{ repaired_lemma('native_lemma') }} as repaired,
    from tokens
    where native_lemma is not null

),

repaired_vocabulary as (

    select distinct repaired
    from vocabulary

),

-- one row per distinct repaired lemma with its published form
published as (

    {{ published_forms('repaired_vocabulary', 'repaired') | indent(4) }}

),

-- one row per distinct lemma as read; null where nothing trustworthy is left, with the reason
lemmas as (

    select
        vocabulary.native_lemma,
        {{ lemma_null_reason('published.form', 'published.corruption', 'published.repairs') }} as null_reason,
        {{ trusted_lemma('published.form', 'published.corruption', 'published.repairs') }} as lemma,
        published.folded,
        published.repairs,
    from vocabulary
    inner join published
        on vocabulary.repaired = published.native

)

select * from lemmas
