with

published as (

    select * from {{ ref('int_splits__published') }}

),

native_tokens as (

    select * from {{ ref('int_syntax__native') }}

),

words as (

    select * from {{ ref('int_words__tokens') }}

),

-- one row per source token of a published sentence of a native project
published_tokens as (

    select
        published.id,
        words.token_index as token,
        words.part_index as part,
        native_tokens.source_token,
        native_tokens.relation,
        native_tokens.head as native_head,
        native_tokens.head_repair,
        native_tokens.head_converted,
        native_tokens.gid,
    from published
    inner join words on published.sentence_number = words.sentence_number
    inner join native_tokens on words.gid = native_tokens.gid

)

select * from published_tokens
order by id, part
