-- tell-text: no two projects of one author differ by more than a fifth in the share of split compounds or crases, where
-- both have enough places in which one could stand.
select
    one.convention,
    one.author,
    one.project,
    other.project as other_project,
    one.share,
    other.share as other_share,
from {{ ref('audit_text_conventions') }} as one
inner join {{ ref('audit_text_conventions') }} as other
    on
        one.convention = other.convention
        and one.author = other.author
        and one.project < other.project
where
    one.convention in ('split compound', 'split crasis')
    and least(one.places, other.places) >= {{ var('convention_min_places') }}
    and abs(one.share - other.share) > {{ var('convention_max_difference') }}
