with

training as (

    select * from {{ ref('int_machine__training') }}

),

words as (

    select * from {{ ref('int_words__words') }}

),

full_annotation as (

    select * from {{ ref('int_syntax__full_annotation') }}

),

-- one row per word of a sentence that models may learn from, in full Universal Dependencies
training_words as (

    select
        training.id,
        words.token_index as token,
        words.form,
        full_annotation.ud_upos as upos,
        full_annotation.ud_feats as feats,
        words.head,
        if(words.head = 0, 'root', full_annotation.relation) as relation,
    from training
    inner join words
        on training.sentence_number = words.sentence_number
    inner join full_annotation
        on words.gid = full_annotation.gid

)

select * from training_words
order by id, token
