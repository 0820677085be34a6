with

parse as (

    select * from {{ ref('int_machine__parse') }}

),

tokens as (

    select * from {{ ref('int_splits__published_tokens') }}

),

-- one row per parsed token; the keys hold the published numbering
trees as (

    select
        tokens.gid as token_gid,
        tokens.sentence_number,
        parse.id,
        parse.token,
        {{ token_key('tokens.sentence_number', 'parse.token') }} as gid,
        if(parse.head = 0, 0, {{ token_key('tokens.sentence_number', 'parse.head') }}) as head_gid,
        parse.deprel as relation,
        parse.upos,
        parse.feats,
        parse.artefact,
    from parse
    inner join tokens
        on
            parse.id = tokens.id
            and parse.token = tokens.token

),

{{ moved_coordinators() }},

-- one row per parsed token, coordinators moved
published_trees as (

    select
        trees.token_gid as gid,
        trees.sentence_number,
        trees.id,
        trees.token,
        (coalesce(moved.head_gid, trees.head_gid) % {{ var('token_key_factor') }})::integer as head,
        case
            when moved.is_coordinator = false then 'advmod'
            else trees.relation
        end as relation,
        trees.upos,
        trees.feats,
        trees.artefact,
    from trees
    left join moved
        on trees.gid = moved.gid

)

select * from published_trees
