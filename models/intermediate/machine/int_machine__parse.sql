with

provided as (

    select * from {{ ref('int_machine__parse_provider') }}

),

-- one row per published token as the provider parsed it
parse as (

    select
        id,
        token,
        upos,
        nullif(feats, '') as feats,
        head,
        deprel,
        fold,
        artefact,
    from provided

)

select * from parse
order by id, token
