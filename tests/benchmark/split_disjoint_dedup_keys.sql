-- split-disjoint-dedup-keys: no two rows of a track have the same letters, in one split or in two.
select
    assignments.track,
    sentences.dedup_key,
    count(*) as rows_with_key,
from {{ ref('benchmark_split_assignments') }} as assignments
left join {{ ref('hub_sentences') }} as sentences
    on assignments.sentence_id = sentences.sentence_id
group by assignments.track, sentences.dedup_key
having count(*) > 1 or sentences.dedup_key is null
