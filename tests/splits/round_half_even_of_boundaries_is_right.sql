-- One tenth and one twentieth of whole numbers, halves to the even number; two thirds never fall on a half.
with

cases (n, tenth, twentieth, two_thirds) as (

    values
    (0, 0, 0, 0),
    (1, 0, 0, 1),
    (4, 0, 0, 3),
    (5, 0, 0, 3),
    (6, 1, 0, 4),
    (9, 1, 0, 6),
    (10, 1, 0, 7),
    (14, 1, 1, 9),
    (15, 2, 1, 10),
    (16, 2, 1, 11),
    (25, 2, 1, 17),
    (30, 3, 2, 20),
    (35, 4, 2, 23),
    (45, 4, 2, 30),
    (50, 5, 2, 33),
    (55, 6, 3, 37),
    (70, 7, 4, 47),
    (105, 10, 5, 70),
    (115, 12, 6, 77),
    (1000005, 100000, 50000, 666670)

)

select *
from cases
where
    {{ round_half_even('1/10', 'n') }} <> tenth
    or {{ round_half_even('1/20', 'n') }} <> twentieth
    or {{ round_half_even('2/3', 'n') }} <> two_thirds
