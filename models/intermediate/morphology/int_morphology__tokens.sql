with

words as (

    select * from {{ ref('int_morphology__words') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

-- one row per published token
tokens as (

    select
        words.gid,
        words.tag,
        words.upos,
        words.feats,
    from words
    inner join text_tokens
        on words.gid = text_tokens.gid
    where text_tokens.is_published

)

select * from tokens
