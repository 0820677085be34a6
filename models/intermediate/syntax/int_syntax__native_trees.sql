with

nodes as (

    select * from {{ ref('int_syntax__nodes') }}

),

places as (

    select * from {{ ref('int_syntax__places') }}

),

relations as (

    select * from {{ ref('int_syntax__relations') }}

),

climbs as (

    select * from {{ ref('int_syntax__climbs') }}

),

label_bases as (

    select * from {{ ref('label_bases') }}

),

-- one row per published token: where it hangs when the others are gone
attached as (

    select
        nodes.gid,
        nodes.gid // {{ var('token_key_factor') }} as sentence_number,
        coalesce(climbs.head_gid, places.head_gid) as head_gid,
        relations.relation,
        relations.co,
        nodes.is_verb,
        coalesce(label_bases.node_class, 'word') = 'leaf' as is_leaf,
        coalesce(label_bases.is_predicate, false) as is_predicate,
        places.is_bare,
    from nodes
    inner join places
        on nodes.gid = places.gid
    inner join relations
        on nodes.gid = relations.gid
    left join climbs
        on nodes.gid = climbs.gid
    left join label_bases
        on relations.base = label_bases.base
    where nodes.is_published

),

-- one row per sentence: the best of its roots
roots as (

    select
        sentence_number,
        arg_min(
            gid,
            case
                when is_predicate and not is_bare then 0
                when is_verb and not is_leaf then 1
                when not is_leaf and not is_bare then 2
                else 3
            end * {{ gid_span() }} + gid
        ) as root_gid,
    from attached
    where head_gid = 0
    group by sentence_number

),

-- one row per root that is not the best one
demoted as (

    select
        attached.gid,
        attached.is_bare,
        roots.root_gid,
    from attached
    inner join roots
        on attached.sentence_number = roots.sentence_number
    where
        attached.head_gid = 0
        and attached.gid <> roots.root_gid

),

-- one row per published token
trees as (

    select
        attached.gid,
        attached.sentence_number,
        case
            when demoted.gid is not null then demoted.root_gid
            when above.is_bare then above.root_gid
            else attached.head_gid
        end as head_gid,
        case
            when demoted.gid is null
                then if(attached.head_gid = 0, 'root', attached.relation)
            when attached.is_bare then attached.relation
            when attached.co > 0 then 'conj'
            when attached.is_leaf then 'advmod'
            else 'dep'
        end as relation,
        demoted.gid is not null as is_extra_root,
    from attached
    left join demoted
        on attached.gid = demoted.gid
    left join demoted as above
        on attached.head_gid = above.gid

)

select * from trees
