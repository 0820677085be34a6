-- One row per sentence of which a published token is in no word of the line, or a word stands for none of its tokens.
select
    tokens.sentence_number,
    count(distinct tokens.word_gid) as expected_words,
    count(distinct words.gid) as words,
from {{ ref('int_words__tokens') }} as tokens
left join {{ ref('int_words__words') }} as words
    on
        tokens.word_gid = words.gid
        and tokens.token_index = words.token_index
group by tokens.sentence_number
having
    count(distinct tokens.word_gid) <> count(distinct words.gid)
    or max(tokens.token_index) <> count(distinct words.gid)
