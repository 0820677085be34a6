with

trees as (

    select * from {{ ref('int_machine__trees') }}

),

tokens as (

    select * from {{ ref('int_splits__published_tokens') }}

),

ud_upos as (

    select * from {{ ref('ud_upos') }}

),

-- one row per parsed sentence: content words are the name of their class, all other words stand as they are
distorted_texts as (

    select
        trees.sentence_number,
        string_agg(
            if(ud_upos.is_content, trees.upos, tokens.form),
            ' '
            order by tokens.token
        ) as text_distorted,
    from trees
    inner join tokens
        on trees.gid = tokens.gid
    inner join ud_upos
        on trees.upos = ud_upos.upos
    group by trees.sentence_number

)

select * from distorted_texts
