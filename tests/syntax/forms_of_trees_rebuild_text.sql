-- One row per sentence whose tokens in tree order do not give its text.
with

rebuilt as (

    select
        trees.sentence_number,
        string_agg(tokens.form, ' ' order by trees.token_index) as text,
    from {{ ref('int_syntax__trees') }} as trees
    inner join {{ ref('int_text__tokens') }} as tokens
        on trees.gid = tokens.gid
    group by trees.sentence_number

)

select
    sentences.sentence_number,
    sentences.text as expected,
    rebuilt.text as found,
from {{ ref('int_text__sentences') }} as sentences
full outer join rebuilt
    on sentences.sentence_number = rebuilt.sentence_number
where sentences.text is distinct from rebuilt.text
