-- The pseudo-random order is sha256 of seed, purpose and key joined by bars, as hex text: the values here were computed
-- by another implementation.
with

cases (dedup_key, expected_split, expected_surplus, expected_held_out_split) as (

    values
    (
        'abc',
        '4655b2de5fd58f7a0c9cb68a185a0aa1db35f4f64bf0ba2ff5209a574189b786',
        '834796807a8d5a0858717a23c581c3607731b91f0f38bf6ac020531490ced103',
        '64ed26d22930597d33d651e901c7697257defafedc5188be2178c40b7fd9854d'
    ),
    (
        '0123456789abcdef',
        '43cafdcfcd0c212c12ae6b616a489ca98c673165a8794a0c6b02cbd07bfac685',
        '70a3f85c3c03e06620e40d60fe0282cf7c2e1aa19abe99b5ab66982741d0edf7',
        '14a0cd82a5b0de5fca32d893020209b5e4904088483de50916878dd0efbcee60'
    )

)

select *
from cases
where
    {{ hash_order(917, 'split', 'dedup_key') }} <> expected_split
    or {{ hash_order(917, 'surplus', 'dedup_key') }} <> expected_surplus
    or {{ hash_order(917, 'held_out_split', 'dedup_key') }} <> expected_held_out_split
