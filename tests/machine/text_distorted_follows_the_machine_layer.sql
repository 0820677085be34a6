-- machine-text-distorted: with a machine layer every sentence has a distorted text with a word per token: the class of
-- a noun, proper noun, adjective or verb, else the form; without one, none has. One row per wrong sentence.
with

sentences as (

    select * from {{ ref('hub_sentences') }}

),

tokens as (

    select * from {{ ref('hub_tokens') }}

),

-- one row per sentence with its distorted text in words
words as (

    select
        id,
        text_distorted,
        string_split(text_distorted, ' ') as words,
    from sentences

),

-- one row per sentence, with the tokens that have the wrong word
compared as (

    select
        words.id,
        len(any_value(words.words)) <> count(*) as is_of_other_length,
        count(*) filter (
            where words.words[tokens.token] is distinct from case
                when tokens.machine_upos is null then null
                when ud_upos.is_content then tokens.machine_upos
                else tokens.form
            end
        ) as wrong_words,
    from words
    inner join tokens
        on words.id = tokens.id
    left join {{ ref('ud_upos') }} as ud_upos
        on tokens.machine_upos = ud_upos.upos
    group by words.id

)

select *
from compared
where
    is_of_other_length
    or wrong_words > 0
