-- One row per published token without a full relation and class, or with another root than its tree.
select
    coalesce(trees.gid, full_annotation.gid) as gid,
    trees.head,
    full_annotation.relation,
    full_annotation.ud_upos,
from {{ ref('int_syntax__trees') }} as trees
full outer join {{ ref('int_syntax__full_annotation') }} as full_annotation
    on trees.gid = full_annotation.gid
where
    trees.gid is null
    or full_annotation.gid is null
    or (trees.head = 0) <> (full_annotation.relation = 'root')
