-- One row per value that one project alone has and that is no known exception: map it, or give the reason in the seed.
select
    layer,
    value,
    project,
    occurrences,
from {{ ref('project_fingerprints') }}
where not is_known
