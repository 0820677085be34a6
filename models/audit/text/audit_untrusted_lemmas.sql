with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

lemmas as (

    select * from {{ ref('int_text__lemmas') }}

),

-- one row per project and lemma as read that is published as null
untrusted_lemmas as (

    select
        tokens.project,
        tokens.native_lemma,
        coalesce(lemmas.null_reason, 'absent') as reason,
        count(*) as tokens,
    from tokens
    inner join text_tokens
        on tokens.gid = text_tokens.gid
    left join lemmas
        on tokens.native_lemma = lemmas.native_lemma
    where
        text_tokens.is_published
        and text_tokens.lemma is null
    group by tokens.project, tokens.native_lemma, lemmas.null_reason

)

select * from untrusted_lemmas
