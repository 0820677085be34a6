with recursive

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

tokens as (

    select * from {{ ref('stg_conllu__tokens') }}

),

-- one row per word that hangs on an empty node, and per word or empty node of its sentence
nodes as (

    select
        {{ token_key('sentences.sentence_number', 'tokens.source_index') }} as gid,
        sentences.sentence_number,
        tokens.source_token as id,
        tokens.row_kind,
        case tokens.row_kind
            when 'empty'
                -- an empty node has its heads in DEPS, the first of them first
                then coalesce(tokens.native_head, nullif(regexp_extract(tokens.native_deps, '^([^:|]+):', 1), ''))
            else tokens.native_head
        end as head,
    from tokens
    inner join sentences
        on
            tokens.project = sentences.project
            and tokens.path = sentences.path
            and tokens.sentence_position = sentences.position
    where tokens.row_kind in ('word', 'empty')

),

empty_nodes as (

    select
        sentence_number,
        id,
        head,
    from nodes
    where row_kind = 'empty'

),

-- one row per word on an empty node and step upwards; `union` keeps each step once, so the walk ends
climbs as (

    select
        nodes.gid,
        nodes.sentence_number,
        empty_nodes.head,
    from nodes
    inner join empty_nodes
        on
            nodes.sentence_number = empty_nodes.sentence_number
            and nodes.head = empty_nodes.id
    where nodes.row_kind = 'word'

    union

    select
        climbs.gid,
        climbs.sentence_number,
        empty_nodes.head,
    from climbs
    inner join empty_nodes
        on
            climbs.sentence_number = empty_nodes.sentence_number
            and climbs.head = empty_nodes.id

),

-- one row per word on an empty node: the word above, 0 for the root, null where there is neither
ends as (

    select
        climbs.gid,
        max(case climbs.head when '0' then 0 else words.gid end) as head_gid,
    from climbs
    left join nodes as words
        on
            climbs.sentence_number = words.sentence_number
            and climbs.head = words.id
            and words.row_kind = 'word'
            and climbs.gid <> words.gid
    group by climbs.gid

),

empty_heads as (

    select
        gid,
        coalesce(head_gid, 0) as head_gid,
        if(head_gid is null, 'missing_head', 'ellipsis') as repair,
    from ends

)

select * from empty_heads
