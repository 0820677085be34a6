with

nodes as (

    select * from {{ ref('int_syntax__nodes') }}

),

places as (

    select * from {{ ref('int_syntax__places') }}

),

choices as (

    select * from {{ ref('int_syntax__choices') }}

),

-- one row per member of a coordination or apposition that is not its first
later_members as (

    select
        unnest(choices.members) as gid,
        choices.sub_gid,
        if(choices.role = 'coordination', 'conj', 'appos') as relation,
    from choices
    where choices.members is not null

),

-- one row per published token: its function as its parent sees it
functions as (

    select
        nodes.gid,
        nodes.node_class,
        nodes.base as own_base,
        nodes.pos,
        nodes.is_verb,
        places.is_bare,
        choices.role,
        words.is_participle as is_participle_below,
        later_members.relation as member_relation,
        coalesce(tops.base, nodes.base) as base,
        coalesce(tops.co, nodes.co) as co,
        coalesce(tops.has_preposition, false) as has_preposition,
        coalesce(tops.is_clause, nodes.is_verb) as is_clause,
    from nodes
    inner join places
        on nodes.gid = places.gid
    left join choices
        on nodes.gid = choices.gid
    left join nodes as words
        on choices.rep_gid = words.gid
    left join choices as tops
        on places.top_gid = tops.gid
    left join later_members
        on
            places.top_gid = later_members.gid
            and later_members.gid <> later_members.sub_gid
    where nodes.is_published

),

-- one row per published token: its relation unless it is the root
relations as (

    select
        gid,
        base,
        co,
        case
            when role = 'preposition' then 'case'
            when role = 'subordinator' then 'mark'
            when role in ('coordination', 'apposition') then 'cc'
            when role = 'copula' then if(is_participle_below, 'aux', 'cop')
            when is_bare and own_base = 'AuxP' then 'case'
            when is_bare and own_base = 'AuxC' then 'mark'
            when is_bare and own_base = 'COORD' then 'cc'
            when member_relation is not null then member_relation
            when base = 'SBJ' then if(is_clause, 'csubj', 'nsubj')
            when base = 'OBJ' and has_preposition then 'obl'
            when base = 'OBJ' then if(is_clause, 'ccomp', 'obj')
            when base in ('PNOM', 'OCOMP', 'ATV', 'AtvV') then 'xcomp'
            when base = 'ADV' and is_clause then 'advcl'
            when base = 'ADV'
                then if(has_preposition or pos in ('n', 'p', 'm', 'l'), 'obl', 'advmod')
            when base = 'ATR' then if(is_clause, 'acl', 'nmod')
            when base = 'AuxV' and is_verb then 'aux'
            when base in ('AuxY', 'AuxZ', 'AuxR', 'AuxV')
                then if(is_verb, 'parataxis', 'advmod')
            when base = 'APOS' then 'appos'
            when has_preposition and base in ('AuxP', 'AuxC', 'COORD') then 'obl'
            else 'dep'
        end as relation,
    from functions

)

select * from relations
