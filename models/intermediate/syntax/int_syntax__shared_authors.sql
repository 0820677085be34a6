with

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

tokens as (

    select * from {{ ref('int_text__tokens') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

-- one row per sentence that enters the tracks, of an author whom several projects have annotated
shared_sentences as (

    select
        sentences.sentence_number,
        sentences.author,
        sentences.project,
    from outcomes
    inner join sentences
        on outcomes.sentence_number = sentences.sentence_number
    where outcomes.outcome = 'entered'
    qualify
        min(sentences.project) over (partition by sentences.author)
        <> max(sentences.project) over (partition by sentences.author)

),

-- one row per author, project and combination of class, relation, features and form
combinations as (

    select
        shared_sentences.author,
        shared_sentences.project,
        morphology.upos,
        trees.deprel,
        morphology.feats,
        tokens.form,
        count(*) as occurrences,
    from shared_sentences
    inner join tokens
        on shared_sentences.sentence_number = tokens.sentence_number
    inner join trees
        on tokens.gid = trees.gid
    inner join morphology
        on tokens.gid = morphology.gid
    group by all

)

select * from combinations
