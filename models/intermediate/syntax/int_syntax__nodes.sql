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

tag_to_feats as (

    select * from {{ ref('tag_to_feats') }}

),

function_lemmas as (

    select * from {{ ref('function_lemmas') }}

),

-- one row per letter and position that makes a word a participle
participles as (

    select
        position,
        value,
    from tag_to_feats
    where feature = 'VerbForm' and feature_value = 'Part'

),

-- one row per lemma that the copula is written with
copulas as (

    select lemma
    from function_lemmas
    where kind = 'copula'

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
        coalesce(label_bases.own_role, 'none') as own_role,
        coalesce(label_bases.is_predicate, false) as is_predicate,
        tag_to_upos.is_verb,
        tag_to_upos.is_content,
        tag_to_upos.is_light,
        tag_to_upos.is_argument,
        tag_to_upos.is_nominal,
        tag_to_upos.is_particle,
        tag_to_upos.is_joiner,
        tag_to_upos.is_adverb,
        tag_to_upos.is_participle or participles.value is not null as is_participle,
        tag_to_upos.is_copular and copulas.lemma is not null as is_copula_verb,
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
    left join participles
        on substr(words.tag, participles.position, 1) = participles.value
    left join copulas
        on text_tokens.lemma = copulas.lemma
    where projects.syntax_scheme <> 'ud'

)

select * from nodes
