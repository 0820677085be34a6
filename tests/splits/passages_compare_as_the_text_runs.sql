-- Passages in the order of the text; their keys must be in the same order.
with

cases (place, passage) as (

    values
    (1, '1.9'), (2, '1.10'), (3, '1.20-1.39'), (4, '1.100-1.119'), (5, '2.1'), (6, '2.1a'), (7, '2.2')

),

keys as (

    select
        place,
        {{ passage_key('passage') }} as passage_key,
    from cases

)

select
    earlier.place as earlier_place,
    later.place as later_place,
from keys as earlier
inner join keys as later on earlier.place < later.place
where not coalesce(earlier.passage_key < later.passage_key, false)
