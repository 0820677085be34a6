with

uses as (

    select * from {{ ref('int_morphology__class_uses') }}

),

disagreements as (

    select * from {{ ref('int_morphology__class_disagreements') }}
    where is_contested

),

copied_annotations as (

    select * from {{ ref('copied_annotations') }}
    where is_conversion

),

-- one row per lemma and class between which and another one annotators differ
contested as (

    select
        published_lemma,
        upos,
    from disagreements
    union
    select
        published_lemma,
        other_upos as upos,
    from disagreements

),

-- one row per project, form, lemma and contested class
contested_uses as (

    select
        uses.project,
        uses.spelled_form,
        uses.published_lemma,
        uses.upos,
        uses.words,
        copied_annotations.other_project is null as has_vote,
    from uses
    inner join contested
        on
            uses.published_lemma = contested.published_lemma
            and uses.upos = contested.upos
    left join copied_annotations
        on uses.project = copied_annotations.other_project

)

select * from contested_uses
