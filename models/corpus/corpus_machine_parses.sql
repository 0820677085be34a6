with

parse as (

    select * from {{ ref('int_machine__parse') }}

),

manifest as (

    select * from {{ ref('int_machine__manifest') }}

),

published as (

    select * from {{ ref('int_splits__published') }}

),

catalogue as (

    select * from {{ ref('int_catalogue__sentences') }}

),

-- one row per parsed sentence
parses as (

    select
        catalogue.sentence_id,
        manifest.provider,
        manifest.model,
        manifest.revision,
        parse.fold,
    from parse
    inner join published on parse.id = published.id
    inner join catalogue on published.sentence_number = catalogue.sentence_number
    cross join manifest
    where parse.token = 1

)

select * from parses
order by sentence_id
