-- dedup-chain-bound: pairs that chain whole passages together would remove nearly a whole source; the
-- build stops before.
select
    chain_number,
    count(*) as sentences,
from {{ ref('int_dedup__chains') }}
group by chain_number
having count(*) > {{ var('near_duplicate_max_chain') }}
