-- One row per published FEATS string that is not sorted, repeats a key, has a value outside the inventory, a mood or a
-- person without a finite form, or a middle or passive in a tense that has one form for both.
with

strings as (

    select distinct feats
    from {{ ref('int_morphology__tokens') }}
    where feats is not null

),

features as (

    select
        feats,
        unnest(string_split(feats, '|')) as feature,
    from strings

),

known as (

    select distinct feature || '=' || feature_value as feature
    from {{ ref('tag_to_feats') }}

)

select
    strings.feats,
    string_agg(features.feature, ' ' order by features.feature) as unknown_features,
from strings
left join features
    on
        strings.feats = features.feats
        and features.feature not in (select feature from known)
group by strings.feats
having
    count(features.feature) > 0
    or list_sort(string_split(strings.feats, '|')) <> string_split(strings.feats, '|')
    or len(list_distinct(regexp_extract_all(strings.feats, '([A-Za-z]+)=', 1)))
    <> len(string_split(strings.feats, '|'))
    or (regexp_matches(strings.feats, '(Mood|Person)=') and not contains(strings.feats, 'VerbForm=Fin'))
    or (
        regexp_matches(strings.feats, 'Voice=(Mid|Pass)$')
        and regexp_matches(strings.feats, 'Tense=(Pres|Pqp)|Aspect=Imp')
        and contains(strings.feats, 'VerbForm=')
    )
