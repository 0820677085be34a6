with

uses as (

    select * from {{ ref('int_morphology__class_uses') }}

),

lemma_classes as (

    select * from {{ ref('int_morphology__lemma_classes') }}

),

chosen_classes as (

    select * from {{ ref('int_morphology__chosen_classes') }}

),

class_families as (

    select * from {{ ref('class_families') }}

),

-- one row per form, published lemma and class as read that occur together
words as (

    select distinct
        spelled_form,
        published_lemma,
        upos as native_upos,
    from uses

),

-- the same, with the class of the lemma where the class as read may stand for it
in_table as (

    select
        words.*,
        lemma_classes.lemma is not null as is_closed,
        if(
            families.family is null and words.native_upos = 'X' or families.family = lemma_families.family,
            lemma_classes.upos,
            null
        ) as lemma_upos,
    from words
    left join lemma_classes
        on words.published_lemma = lemma_classes.lemma
    left join class_families as families
        on words.native_upos = families.upos
    left join class_families as lemma_families
        on lemma_classes.upos = lemma_families.upos

),

-- the same, with the published class and what decided it; no vote is taken on a closed class
published_classes as (

    select
        in_table.spelled_form,
        in_table.published_lemma,
        in_table.native_upos,
        coalesce(in_table.lemma_upos, chosen_classes.upos, in_table.native_upos) as upos,
        if(in_table.lemma_upos is null, chosen_classes.step, 'table') as step,
    from in_table
    left join chosen_classes
        on
            not in_table.is_closed
            and in_table.spelled_form = chosen_classes.spelled_form
            and in_table.published_lemma = chosen_classes.published_lemma
            and in_table.native_upos = chosen_classes.native_upos

)

select * from published_classes
