with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

forms as (

    select * from {{ ref('int_text__forms') }}
    where repairs <> ''

),

lemmas as (

    select * from {{ ref('int_text__lemmas') }}
    where repairs <> ''

),

-- one row per project and repaired form or lemma as read
repaired as (

    select
        tokens.project,
        'form' as field,
        forms.native_form as native_value,
        forms.form as published_value,
        forms.corruption,
        forms.repairs,
        count(*) as tokens,
    from tokens
    inner join forms
        on tokens.native_form = forms.native_form
    group by tokens.project, forms.native_form, forms.form, forms.corruption, forms.repairs

    union all

    select
        tokens.project,
        'lemma' as field,
        lemmas.native_lemma as native_value,
        lemmas.lemma as published_value,
        lemmas.null_reason as corruption,
        lemmas.repairs,
        count(*) as tokens,
    from tokens
    inner join lemmas
        on tokens.native_lemma = lemmas.native_lemma
    group by tokens.project, lemmas.native_lemma, lemmas.lemma, lemmas.null_reason, lemmas.repairs

),

-- one row per project, repaired value and rule
repaired_forms as (

    select
        project,
        field,
        native_value,
        unnest(string_split(repairs, ',')) as rule,
        case when corruption is null then published_value end as published_value,
        corruption,
        tokens,
    from repaired

)

select * from repaired_forms
