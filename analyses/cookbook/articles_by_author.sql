-- How many articles does an author use per thousand words?
-- One row per author. Homer and tragedy are expected at the bottom, prose at the top.
with

tokens as (

    select * from {{ ref('corpus_tokens') }}
    where fate = 'published' and token_index is not null

),

articles_by_author as (

    select
        author,
        count(*) as words,
        round(1000.0 * avg((native_tag like 'l%')::integer), 1) as articles_per_thousand,
    from tokens
    group by author

)

select * from articles_by_author
order by articles_per_thousand desc, author asc
