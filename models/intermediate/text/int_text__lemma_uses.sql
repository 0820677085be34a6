with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

forms as (

    select * from {{ ref('int_text__forms') }}

),

lemmas as (

    select * from {{ ref('int_text__lemmas') }}

),

-- one row per project, form and lemma that occur together on words
uses as (

    select
        tokens.project,
        forms.form,
        lemmas.lemma,
        any_value(lemmas.folded) as folded_lemma,
        count(*) as words,
    from tokens
    inner join forms
        on tokens.native_form = forms.native_form
    inner join lemmas
        on tokens.native_lemma = lemmas.native_lemma
    where
        tokens.row_kind = 'word'
        and not tokens.is_elliptic
        and forms.has_greek
        and lemmas.lemma is not null
    group by
        tokens.project,
        forms.form,
        lemmas.lemma

)

select * from uses
