-- machine-coordinators-coordinate: in the machine layer, as in the human one, what is called cc hangs on a member of a
-- coordination: a conjunct, or a token with conjuncts. One row per coordinator without a coordination.
with

trees as (

    select
        id,
        token,
        head,
        split_part(relation, ':', 1) as relation,
    from {{ ref('int_machine__trees') }}

),

-- one row per member of a coordination
members as (

    select
        id,
        token,
    from trees
    where relation = 'conj'

    union

    select
        id,
        head as token,
    from trees
    where relation = 'conj'

)

select
    trees.id,
    trees.token,
from trees
left join members
    on
        trees.id = members.id
        and trees.head = members.token
where
    trees.relation = 'cc'
    and members.id is null
