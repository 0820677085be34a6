with

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

words as (

    select * from {{ ref('int_morphology__words') }}

),

-- one row per form, tag and lemma
choices as (

    select
        text_tokens.form,
        words.tag,
        text_tokens.lemma,
        count(*) as tokens,
    from text_tokens
    inner join words
        on text_tokens.gid = words.gid
    where
        text_tokens.is_published
        and text_tokens.lemma is not null
    group by text_tokens.form, words.tag, text_tokens.lemma

),

-- one row per lemma of a form and tag that have several
ambiguous_lemmas as (

    select
        form,
        tag,
        lemma,
        tokens,
        tokens / sum(tokens) over (partition by form, tag) as share,
        (count(*) over (partition by form, tag))::integer as lemmas,
    from choices
    qualify lemmas > 1

)

select * from ambiguous_lemmas
