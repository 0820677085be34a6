-- machine-works-in-one-fold: a canonical work, and works that repeat each other as one text, are parsed by one model,
-- which learns from none of them. One row per family whose published sentences are in several folds.
select
    folds.family,
    list_sort(list(distinct sentences.canonical_work)) as works,
    list_sort(list(distinct sentences.fold)) as folds,
from {{ ref('int_machine__sentences') }} as sentences
inner join {{ ref('int_machine__folds') }} as folds
    on sentences.canonical_work = folds.canonical_work
group by folds.family
having count(distinct sentences.fold) > 1
