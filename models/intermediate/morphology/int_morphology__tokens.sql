with

classed_words as (

    select * from {{ ref('int_morphology__classed_words') }}

),

published_features as (

    select * from {{ ref('int_morphology__published_features') }}

),

-- one row per published token
tokens as (

    select
        classed_words.gid,
        classed_words.tag,
        classed_words.upos,
        published_features.feats,
    from classed_words
    inner join published_features
        on classed_words.gid = published_features.gid

)

select * from tokens
