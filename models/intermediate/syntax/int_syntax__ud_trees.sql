with recursive

corpus_tokens as (

    select * from {{ ref('int_corpus__tokens') }}

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

-- one row per word of a UD project
words as (

    select
        corpus_tokens.gid,
        corpus_tokens.sentence_number,
        heads.head_gid,
        corpus_tokens.native_relation as relation,
        text_tokens.is_published,
    from corpus_tokens
    inner join projects
        on corpus_tokens.project = projects.project
    inner join text_tokens
        on corpus_tokens.gid = text_tokens.gid
    inner join heads
        on corpus_tokens.gid = heads.gid
    where projects.syntax_scheme = 'ud'

),

-- one row per published word that hangs on a dropped one, and step upwards
climbs as (

    select
        words.gid,
        dropped.head_gid,
    from words
    inner join words as dropped
        on words.head_gid = dropped.gid
    where words.is_published and not dropped.is_published

    union all

    select
        climbs.gid,
        dropped.head_gid,
    from climbs
    inner join words as dropped
        on climbs.head_gid = dropped.gid
    where not dropped.is_published

),

-- one row per climb at its end: a published word or the root
ends as (

    select
        climbs.gid,
        climbs.head_gid,
    from climbs
    left join words
        on climbs.head_gid = words.gid
    where climbs.head_gid = 0 or words.is_published

),

-- one row per published word
attached as (

    select
        words.gid,
        words.sentence_number,
        coalesce(ends.head_gid, words.head_gid) as head_gid,
        coalesce(nullif(words.relation, '_'), 'dep') as relation,
    from words
    left join ends
        on words.gid = ends.gid
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
