-- One row per published FEATS string that is not sorted, repeats a key, has a value outside the inventory, or a mood
-- without a finite form. Several genders at once are allowed where the source tells them apart.
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
        and not regexp_full_match(features.feature, 'Gender=(Fem|Masc|Neut)(,(Fem|Masc|Neut))+')
group by strings.feats
having
    count(features.feature) > 0
    or list_sort(string_split(strings.feats, '|')) <> string_split(strings.feats, '|')
    or len(list_distinct(regexp_extract_all(strings.feats, '([A-Za-z]+)=', 1)))
    <> len(string_split(strings.feats, '|'))
    or (contains(strings.feats, 'Mood=') and not contains(strings.feats, 'VerbForm=Fin'))
