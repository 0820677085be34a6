-- One row per value that one project alone has and that is no known exception: map it, or give the reason in the seed.
-- In the bundled sample most rare values stand in one hand-made sentence: there only the frequent ones count.
select
    fingerprints.layer,
    fingerprints.value,
    fingerprints.project,
    fingerprints.occurrences,
from {{ ref('project_fingerprints') }} as fingerprints
cross join {{ source('raw', 'source') }} as input
where
    not fingerprints.is_known
    and (
        input.kind != 'sample'
        or fingerprints.occurrences >= {{ var('sample_fingerprint_occurrences') }}
    )
