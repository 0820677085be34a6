with

parts as (

    select * from {{ ref('int_morphology__feature_parts') }}

),

-- one row per reading and feature that is read
features as (

    select
        reading,
        feature,
        feature_value,
    from parts
    where fault is null or fault = 'unsorted'

)

select * from features
