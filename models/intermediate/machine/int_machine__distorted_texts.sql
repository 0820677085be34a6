with

trees as (

    select * from {{ ref('int_machine__trees') }}

),

tokens as (

    select * from {{ ref('int_machine__tokens') }}

),

-- one row per parsed sentence: content words are the name of their class, all other words stand as they are
distorted as (

    select
        trees.sentence_number,
        string_agg(
            case when trees.upos in ('NOUN', 'PROPN', 'ADJ', 'VERB') then trees.upos else tokens.form end,
            ' '
            order by tokens.token
        ) as text_distorted
    from trees
    inner join tokens
        on trees.gid = tokens.gid
    group by trees.sentence_number

)

select * from distorted
