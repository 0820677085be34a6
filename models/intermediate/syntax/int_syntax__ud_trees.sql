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

    select * from {{ ref('int_syntax__ud_labels') }}

),

-- one row per word of a UD project
words as (

    select
        corpus_tokens.gid,
        corpus_tokens.sentence_number,
        heads.head_gid,
        labels.relation,
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
    where
        projects.syntax_scheme = 'ud'
        and corpus_tokens.row_kind = 'word'

),

-- one row per word that is not published: the step up from it
dropped as materialized (

    select
        gid,
        head_gid,
    from words
    where not is_published

),

{{ climb_doublings('dropped') }},

-- one row per published word
attached as (

    select
        words.gid,
        words.sentence_number,
        coalesce(dropped_last.head_gid, words.head_gid) as head_gid,
        words.relation,
    from words
    left join dropped_last
        on words.head_gid = dropped_last.gid
    where words.is_published

),

-- one row per sentence: its first root
roots as (

    select
        sentence_number,
        min(gid) as root_gid,
    from attached
    where head_gid = 0
    group by sentence_number

),

-- one row per published word
trees as (

    select
        attached.gid,
        attached.sentence_number,
        case
            when attached.head_gid > 0 then attached.head_gid
            when attached.gid = roots.root_gid then 0
            else roots.root_gid
        end as head_gid,
        case
            when attached.gid = roots.root_gid then 'root'
            when attached.relation = 'root' then 'dep'
            else attached.relation
        end as relation,
        attached.head_gid = 0 and attached.gid <> roots.root_gid as is_extra_root,
    from attached
    inner join roots
        on attached.sentence_number = roots.sentence_number

)

select * from trees
