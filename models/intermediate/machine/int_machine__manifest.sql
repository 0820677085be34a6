with

provided as (

    select * from {{ ref('int_machine__manifest_provider') }}

),

-- one row for the parse, none without a machine layer
manifest as (

    select
        provider,
        model,
        revision,
        manifest,
    from provided

)

select * from manifest
