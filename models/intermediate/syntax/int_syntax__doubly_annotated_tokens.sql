with

pairs as (

    select * from {{ ref('int_syntax__doubly_annotated') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

-- one row per token of a text that two projects have annotated
tokens as (

    select
        pairs.project,
        pairs.other_project,
        pairs.sentence_number,
        ones.gid,
        others.gid as other_gid,
    from pairs
    inner join trees as ones
        on pairs.sentence_number = ones.sentence_number
    inner join trees as others
        on
            pairs.other_sentence_number = others.sentence_number
            and ones.token_index = others.token_index

)

select * from tokens
