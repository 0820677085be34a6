-- One row per hard case whose mended passage is not the expected one.
with

cases (passage, expected) as (

    values
    ('1,1000000000000001', '1,1'),
    ('1,1299999999999999', '1,13'),
    ('4,0999999999999996', '4,1'),
    ('16.899999999999999', '16.9'),
    ('10,119999999999999', '10,12'),
    ('2,0000000000000004', '2'),
    ('1.1234000000000001', '1.1234'),
    ('1,1000000000000001-1,1299999999999999', '1,1-1,13'),
    ('1,2-1,2999999999999998', '1,2-1,3'),
    ('1,3333333333333333', null),
    ('1.1-1.3333333333333333', null),
    ('1,13', '1,13'),
    ('123456789012', '123456789012'),
    ('12.1, 510a1', '12.1, 510a1'),
    ('entire document', 'entire document'),
    (null, null)

)

select
    passage,
    expected,
    {{ mended_passage('passage') }} as found,
from cases
where {{ mended_passage('passage') }} is distinct from expected
