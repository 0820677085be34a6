with

published as (

    select * from {{ ref('int_splits__published') }}

),

words as (

    select * from {{ ref('int_words__words') }}

),

-- one row per word of a published sentence, with its human annotation
published_tokens as (

    select
        published.id,
        words.token_index as token,
        words.form,
        words.folded,
        words.lemma,
        words.upos,
        words.feats,
        words.head,
        words.relation,
        words.deprel,
        words.sentence_number,
        words.gid,
    from published
    inner join words on published.sentence_number = words.sentence_number

)

select * from published_tokens
order by id, token
