-- machine-whole-or-absent: with a manifest every published token is parsed, and no other; without one nothing is. One
-- row per token on one side only.
select
    coalesce(parse.id, tokens.id) as id,
    coalesce(parse.token, tokens.token) as token,
    parse.id is not null as is_parsed,
from {{ ref('int_machine__parse') }} as parse
full outer join
    (
        select
            id,
            token,
        from {{ ref('int_splits__published_tokens') }}
        where exists (select 1 from {{ ref('int_machine__manifest') }})
    ) as tokens
    on
        parse.id = tokens.id
        and parse.token = tokens.token
where
    parse.id is null
    or tokens.id is null
