with

words as (

    select * from {{ ref('int_morphology__words') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

-- one row per project, form without a grave, published lemma and class that occur together on published tokens
uses as (

    select
        tokens.project,
        {{ without_grave('text_tokens.form') }} as spelled_form,
        text_tokens.published_lemma,
        words.upos,
        count(*) as words,
    from words
    inner join text_tokens
        on words.gid = text_tokens.gid
    inner join tokens
        on words.gid = tokens.gid
    where
        text_tokens.is_published
        and text_tokens.published_lemma is not null
    group by
        tokens.project,
        {{ without_grave('text_tokens.form') }},
        text_tokens.published_lemma,
        words.upos

)

select * from uses
