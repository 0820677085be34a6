-- One row per string of full features that is not sorted, repeats a name or has one that is not universal.
with

strings as (

    select distinct ud_feats
    from {{ ref('int_syntax__full_annotation') }}
    where ud_feats is not null

),

features as (

    select
        ud_feats,
        unnest(string_split(ud_feats, '|')) as pair,
    from strings

),

known as (

    select
        features.ud_feats,
        count(ud_features.feature) as names,
        count(distinct split_part(features.pair, '=', 1)) as different_names,
        count(*) as pairs,
    from features
    left join (select distinct feature from {{ ref('ud_features') }}) as ud_features
        on split_part(features.pair, '=', 1) = ud_features.feature
    group by features.ud_feats

)

select ud_feats
from known
where
    names < pairs
    or different_names < pairs
    or list_sort(string_split(ud_feats, '|')) <> string_split(ud_feats, '|')
