-- split-multiple-of-ten: every count by track, author and split is a multiple of ten, so that the three
-- sizes regroup the same rows.
select
    track,
    author,
    split,
    count(*) as split_rows,
from {{ ref('benchmark_split_assignments') }}
group by track, author, split
having count(*) % {{ var('row_multiple') }} <> 0
