-- source-records-start-with-the-row: every published sentence rests on records of which the first is its
-- own, and has exactly the licences of those records.
with

records as (

    select
        id,
        treebank_source,
        licenses,
        source_records[1].project as first_project,
        unnest(source_records).license as license,
    from {{ ref('hub_sentences') }}

),

found as (

    select
        id,
        treebank_source,
        licenses,
        first_project,
        list_sort(list(distinct license)) as expected_licenses,
    from records
    group by id, treebank_source, licenses, first_project

)

select
    sentences.id,
    sentences.licenses,
    found.expected_licenses,
    found.first_project,
from {{ ref('hub_sentences') }} as sentences
left join found on sentences.id = found.id
where
    found.first_project is distinct from sentences.treebank_source
    or found.licenses is distinct from found.expected_licenses
    or len(sentences.licenses) = 0
