with

closed_lemmas as (

    select * from {{ ref('closed_lemmas') }}
    where is_published

),

upos_reduction as (

    select * from {{ ref('upos_reduction') }}

),

coordinators as (

    select * from {{ ref('coordinators') }}

),

published_classes as (

    select * from {{ ref('published_classes') }}

),

-- one row per lemma that has one published class
lemma_classes as (

    select
        closed_lemmas.lemma,
        upos_reduction.reduced as upos,
    from closed_lemmas
    inner join upos_reduction
        on closed_lemmas.lemma_class = upos_reduction.upos
    union all
    select
        coordinators.lemma,
        upos_reduction.reduced as upos,
    from coordinators
    inner join upos_reduction
        on upos_reduction.upos = 'CCONJ'
    union all
    select
        lemma,
        upos,
    from published_classes

)

select * from lemma_classes
