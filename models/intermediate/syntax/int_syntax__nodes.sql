with

corpus_tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

projects as (

    select * from {{ ref('projects') }}

),

heads as (

    select * from {{ ref('int_syntax__heads') }}

),

labels as (

    select * from {{ ref('int_syntax__labels') }}

),

label_bases as (

    select * from {{ ref('label_bases') }}

),

words as (

    select * from {{ ref('int_morphology__words') }}

),

tag_to_upos as (

    select * from {{ ref('tag_to_upos') }}

),

-- one row per token of a native project
nodes as (

    select
        corpus_tokens.gid,
        heads.head_gid,
        labels.base,
        labels.co,
        labels.ap,
        coalesce(label_bases.node_class, 'word') as node_class,
        left(words.tag, 1) as pos,
        tag_to_upos.upos = 'VERB' as is_verb,
        tag_to_upos.is_content,
        tag_to_upos.is_light,
        left(words.tag, 1) = 't' or substr(words.tag, 5, 1) = 'p' as is_participle,
        coalesce(text_tokens.lemma in ('εἰμί', 'εἶμι'), false)
        and left(words.tag, 1) = 'v' as is_copula_verb,
        text_tokens.is_elliptic,
        text_tokens.is_editorial,
        text_tokens.is_published,
    from corpus_tokens
    inner join projects
        on corpus_tokens.project = projects.project
    inner join text_tokens
        on corpus_tokens.gid = text_tokens.gid
    inner join heads
        on corpus_tokens.gid = heads.gid
    inner join labels
        on coalesce(corpus_tokens.native_relation, '') = labels.native_relation
    left join label_bases
        on labels.base = label_bases.base
    inner join words
        on corpus_tokens.gid = words.gid
    inner join tag_to_upos
        on left(words.tag, 1) = tag_to_upos.value
    where projects.syntax_scheme <> 'ud'

)

select * from nodes
