with

sentences as (

    select * from {{ ref('hub_sentences') }}

),

-- one row per published sentence and licence of it
licences as (

    select unnest(licenses) as licence from sentences

),

-- one row per licence
counts as (

    select
        licence,
        count(*) as sentences,
    from licences
    group by licence

)

select * from counts
order by licence
