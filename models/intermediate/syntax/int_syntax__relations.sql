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

native_relations as (

    select * from {{ ref('native_relations') }}

),

-- one row per member of a coordination or apposition that is not its first
later_members as (

    select
        unnest(choices.members) as gid,
        choices.sub_gid,
        choices.role,
        nodes.is_editorial,
    from choices
    inner join nodes
        on choices.gid = nodes.gid
    where choices.members is not null

),

-- one row per published token: its function as its parent sees it
functions as (

    select
        nodes.gid,
        nodes.own_role,
        nodes.is_nominal,
        nodes.is_verb,
        places.is_bare,
        choices.role,
        words.is_participle as is_participle_below,
        later_members.role as member_of,
        coalesce(later_members.is_editorial, false) as is_joined_by_mark,
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

{{ first_rules(
    'functions',
    'native_relations',
    [
        'role', 'is_participle_below', 'is_bare', 'own_role', 'member_of', 'base', 'is_clause', 'has_preposition',
        'is_nominal', 'is_verb'
    ],
    ['relation']
) }},

-- one row per published token: its relation unless it is the root
relations as (

    select
        gid,
        base,
        co,
        relation,
        is_joined_by_mark,
    from functions_decided

)

select * from relations
