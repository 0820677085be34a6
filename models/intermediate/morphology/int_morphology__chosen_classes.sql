with

uses as (

    select * from {{ ref('int_morphology__contested_uses') }}

),

-- one row per form, lemma, contested class and project with an annotation of its own
counted as (

    select * from uses
    where has_vote

),

-- one row per lemma and project: its vote on the lemma
lemma_votes as (

    select
        published_lemma,
        project,
        arg_max(upos, (words, upos)) as upos,
        sum(words)::bigint as words,
    from (
        select
            published_lemma,
            project,
            upos,
            sum(words)::bigint as words,
        from counted
        group by published_lemma, project, upos
    ) as lemma_uses
    group by published_lemma, project

),

-- one row per lemma and class with a vote
lemma_standings as (

    select
        published_lemma,
        upos,
        count(*) as votes,
        sum(words)::bigint as words,
    from lemma_votes
    group by published_lemma, upos

),

-- one row per form, lemma and project: its vote on the form
form_votes as (

    select
        spelled_form,
        published_lemma,
        project,
        arg_max(upos, (words, upos)) as upos,
    from counted
    group by spelled_form, published_lemma, project

),

-- one row per form, lemma and class with a vote; a class in which no project has most of the lemma comes last
standings as (

    select
        form_votes.spelled_form,
        form_votes.published_lemma,
        form_votes.upos,
        count(*) as votes,
        coalesce(any_value(lemma_standings.votes), 0) as lemma_votes,
        coalesce(any_value(lemma_standings.words), 0) as lemma_words,
    from form_votes
    left join lemma_standings
        on
            form_votes.published_lemma = lemma_standings.published_lemma
            and form_votes.upos = lemma_standings.upos
    group by form_votes.spelled_form, form_votes.published_lemma, form_votes.upos

),

-- one row per form and lemma that two projects have: the class of most
chosen as (

    select
        spelled_form,
        published_lemma,
        arg_max(upos, (votes, lemma_votes, lemma_words, upos)) as upos,
    from standings
    group by spelled_form, published_lemma
    having sum(votes) > 1

),

-- one row per lemma: the class of most
chosen_for_lemmas as (

    select
        published_lemma,
        arg_max(upos, (votes, words, upos)) as upos,
    from lemma_standings
    group by published_lemma

),

-- one row per form, lemma and contested class that occur together, with the class of most and what decided it
chosen_classes as (

    select distinct
        uses.spelled_form,
        uses.published_lemma,
        uses.upos as native_upos,
        coalesce(chosen.upos, chosen_for_lemmas.upos) as upos,
        if(chosen.upos is null, 'lemma', 'form') as step,
    from uses
    left join chosen
        on
            uses.published_lemma = chosen.published_lemma
            and uses.spelled_form = chosen.spelled_form
    left join chosen_for_lemmas
        on uses.published_lemma = chosen_for_lemmas.published_lemma

)

select * from chosen_classes
