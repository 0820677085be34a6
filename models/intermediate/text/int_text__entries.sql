with

uses as (

    select * from {{ ref('int_text__lemma_uses') }}

),

lemma_entries as (

    select * from {{ ref('lemma_entries') }}

),

lemma_endings as (

    select * from {{ ref('lemma_endings') }}

),

-- one row per form and lemma that occur together, both without a grave
spelled as (

    select
        form,
        lemma,
        {{ without_grave('form') }} as spelled_form,
        {{ without_grave('lemma') }} as spelled_lemma,
        any_value(folded_lemma) as folded_lemma,
    from uses
    group by form, lemma

),

-- one row per form and lemma for which the table has a row: what the first one says
in_table as (

    select
        spelled.form,
        spelled.lemma,
        arg_min(coalesce(lemma_entries.published_lemma, ''), lemma_entries.place) as published_lemma,
    from spelled
    inner join lemma_entries
        on
            spelled.spelled_lemma = lemma_entries.lemma
            and (
                coalesce(lemma_entries.form, '') = ''
                or regexp_full_match(spelled.form, lemma_entries.form)
                or regexp_full_match(spelled.spelled_form, lemma_entries.form)
            )
    group by spelled.form, spelled.lemma

),

-- one row per letters of a lemma, with the longest ending that leaves a stem of two letters
endings as (

    select
        lemmas.folded_lemma,
        arg_max(lemma_endings.ending, length(lemma_endings.ending)) as ending,
        arg_max(lemma_endings.kind, length(lemma_endings.ending)) as kind,
    from (select distinct folded_lemma from spelled) as lemmas
    inner join lemma_endings
        on
            suffix(lemmas.folded_lemma, translate(lemma_endings.ending, 'ς', 'σ'))
            and length(lemmas.folded_lemma) >= length(lemma_endings.ending) + 2
    group by lemmas.folded_lemma

),

-- one row per form and lemma that occur together; entries of one kind differ in marks and ending alone
entries as (

    select
        spelled.form,
        spelled.lemma,
        spelled.spelled_form,
        if(in_table.form is null, spelled.spelled_lemma, nullif(in_table.published_lemma, '')) as entry,
        in_table.form is not null as is_in_table,
        spelled.folded_lemma,
        if(
            endings.ending is null,
            spelled.folded_lemma,
            left(spelled.folded_lemma, length(spelled.folded_lemma) - length(endings.ending)) || ' ' || endings.kind
        ) as entry_kind,
    from spelled
    left join in_table
        on
            spelled.form = in_table.form
            and spelled.lemma = in_table.lemma
    left join endings
        on spelled.folded_lemma = endings.folded_lemma

)

select * from entries
