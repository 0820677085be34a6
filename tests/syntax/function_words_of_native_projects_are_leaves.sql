-- One row per published function word of a native project that another token hangs on.
with

native_tokens as (

    select trees.*
    from {{ ref('int_syntax__trees') }} as trees
    inner join {{ ref('int_syntax__native') }} as native
        on trees.gid = native.gid

)

select
    heads.sentence_number,
    heads.token_index,
    heads.relation,
    count(*) as dependents,
from native_tokens as heads
inner join native_tokens as dependents
    on
        heads.sentence_number = dependents.sentence_number
        and heads.token_index = dependents.head
where heads.deprel = 'case'
group by
    heads.sentence_number,
    heads.token_index,
    heads.relation
