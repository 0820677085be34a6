-- hub-tokens-rebuild-text: the tokens of a published sentence run 1..n, their forms joined by blanks are
-- its text, and their heads lie among them, with one root.
with

rebuilt as (

    select
        id,
        count(*) as tokens,
        min(token) as first_token,
        max(token) as last_token,
        count(distinct token) as different_tokens,
        string_agg(form, ' ' order by token) as text,
        count(*) filter (where head = 0) as roots,
        max(head) as last_head,
        min(head) as first_head,
    from {{ ref('hub_tokens') }}
    group by id

)

select
    sentences.id,
    sentences.text,
    rebuilt.text as rebuilt_text,
from {{ ref('hub_sentences') }} as sentences
left join rebuilt on sentences.id = rebuilt.id
where
    rebuilt.text is distinct from sentences.text
    or rebuilt.first_token <> 1
    or rebuilt.last_token <> rebuilt.tokens
    or rebuilt.different_tokens <> rebuilt.tokens
    or rebuilt.roots <> 1
    or rebuilt.first_head < 0
    or rebuilt.last_head > rebuilt.tokens
