with

nodes as (

    select * from {{ ref('int_syntax__nodes') }}

),

role_rules as (

    select * from {{ ref('role_rules') }}

),

tree_roles as (

    select * from {{ ref('tree_roles') }}

),

-- one row per token with children: what its children carry
families as (

    select
        head_gid as gid,
        bool_or(ap > 0) as has_appositive,
        bool_or(node_class = 'function') as has_function_child,
        bool_or(co > 0 or is_predicate) as has_conjunct,
    from nodes
    where head_gid > 0
    group by head_gid

),

-- one row per token with children: what the rules look at
parents as (

    select
        nodes.gid,
        nodes.head_gid,
        nodes.base,
        nodes.co,
        nodes.ap,
        nodes.is_verb,
        nodes.own_role,
        nodes.is_elliptic,
        nodes.is_editorial,
        nodes.is_particle,
        nodes.is_joiner,
        nodes.is_adverb,
        nodes.node_class = 'leaf' as is_leaf,
        nodes.is_copula_verb,
        families.has_appositive,
        families.has_function_child,
        families.has_conjunct,
    from nodes
    inner join families
        on nodes.gid = families.gid

),

{{ first_rules(
    'parents',
    'role_rules',
    [
        'own_role', 'is_elliptic', 'is_editorial', 'is_particle', 'is_joiner', 'is_adverb', 'is_leaf',
        'is_copula_verb', 'has_appositive', 'has_function_child', 'has_conjunct'
    ],
    ['role']
) }},

-- one row per token that may be a function node, with what its role means for the choice
function_nodes as (

    select
        parents.gid,
        parents.head_gid,
        parents.base,
        parents.co,
        parents.ap,
        parents.is_verb,
        parents.role,
        tree_roles.has_members,
        tree_roles.takes_argument,
        tree_roles.keeps_function,
        tree_roles.stands_for_clause,
        tree_roles.is_function_word,
    from parents_decided as parents
    inner join tree_roles
        on parents.role = tree_roles.role

)

select * from function_nodes
