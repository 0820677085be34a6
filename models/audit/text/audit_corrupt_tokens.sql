with

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per token that cannot be published
corrupt_tokens as (

    select
        sentences.sentence_id,
        sentences.project,
        tokens.source_index,
        tokens.source_token,
        tokens.native_form,
        text_tokens.corruption,
    from text_tokens
    inner join tokens
        on text_tokens.gid = tokens.gid
    inner join sentences
        on tokens.sentence_number = sentences.sentence_number
    where text_tokens.is_corrupt

)

select * from corrupt_tokens
