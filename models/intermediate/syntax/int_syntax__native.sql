with

corpus_tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

projects as (

    select * from {{ ref('projects') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

-- one row per published token of a native project
native_tokens as (

    select
        trees.gid,
        trees.sentence_number,
        trees.token_index,
        corpus_tokens.source_token,
        corpus_tokens.native_relation as relation,
        corpus_tokens.native_head as head,
        trees.head_repair,
        trees.is_head_converted as head_converted,
    from trees
    inner join corpus_tokens
        on trees.gid = corpus_tokens.gid
    inner join projects
        on corpus_tokens.project = projects.project
    where projects.syntax_scheme <> 'ud'

)

select * from native_tokens
