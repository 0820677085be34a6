{% test has_no_cycle(model, sentence='sentence_number', token='token_index', head='head') %}
-- one row per token on a cycle
with recursive

pointers as materialized (

    select
        {{ token_key(sentence, token) }} as gid,
        {{ token_key(sentence, head) }} as target_gid,
    from {{ model }}
    where {{ head }} <> 0

),

{{ pointer_doublings('pointers', 8) }},

-- one row per token that may stand on a cycle, and token above it
reached as (

    select
        suspects.gid,
        pointers.target_gid,
    from (select distinct target_gid as gid from pointers_8) as suspects
    inner join pointers
        on suspects.gid = pointers.gid

    union

    select
        reached.gid,
        pointers.target_gid,
    from reached
    inner join pointers
        on reached.target_gid = pointers.gid

)

select
    gid // {{ var('token_key_factor') }} as {{ sentence }},
    gid % {{ var('token_key_factor') }} as {{ token }},
from reached
where gid = target_gid
{% endtest %}
