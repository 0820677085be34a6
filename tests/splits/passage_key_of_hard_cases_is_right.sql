-- Where a passage begins, as numbers; null where it cannot be compared. Each level is the number times 27 plus the
-- place of its letter.
with

cases (passage, expected) as (

    values
    ('12', [12 * 27]),
    ('1.20.3', [27, 20 * 27, 3 * 27]),
    ('1.1-1.7', [27, 27]),
    ('999-1001', [999 * 27]),
    (' 30 - 32 ', [30 * 27]),
    ('17a', [17 * 27 + 1]),
    ('326D', [326 * 27 + 4]),
    ('2.1274b', [2 * 27, 1274 * 27 + 2]),
    ('1.443-1', [27, 443 * 27]),
    ('', null),
    (null, null),
    ('entire work', null),
    ('67_1', null),
    ('1,1000000000000001', null),
    ('12.1, 510a1', null),
    ('AG.505', null),
    ('1.', null),
    ('.1', null),
    ('c', null),
    ('12345678901', null),
    ('book=13:chapter=50', null)

)

select
    passage,
    expected,
    {{ passage_key('passage') }} as found,
from cases
where {{ passage_key('passage') }} is distinct from expected
