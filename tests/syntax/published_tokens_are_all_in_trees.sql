-- One row per published token without a place in a tree, or without morphology, and the other way round.
select
    coalesce(tokens.gid, trees.gid, morphology.gid) as gid,
    tokens.gid is not null as is_published,
    trees.gid is not null as is_in_tree,
    morphology.gid is not null as has_morphology,
from (
    select gid
    from {{ ref('int_text__tokens') }}
    where is_published
) as tokens
full outer join {{ ref('int_syntax__trees') }} as trees
    on tokens.gid = trees.gid
full outer join {{ ref('int_morphology__tokens') }} as morphology
    on coalesce(tokens.gid, trees.gid) = morphology.gid
where
    tokens.gid is null
    or trees.gid is null
    or morphology.gid is null
