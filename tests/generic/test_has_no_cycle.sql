{% test has_no_cycle(model, sentence='sentence_number', token='token_index', head='head') %}
-- one row per token on a cycle
with

pointers as materialized (

    select
        {{ token_key(sentence, token) }} as gid,
        {{ token_key(sentence, head) }} as target_gid,
    from {{ model }}
    where {{ head }} <> 0

),

{{ pointer_doublings('pointers') }}

select distinct
    target_gid // {{ var('token_key_factor') }} as {{ sentence }},
    target_gid % {{ var('token_key_factor') }} as {{ token }},
from pointers_last
{% endtest %}
