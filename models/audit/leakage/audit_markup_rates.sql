{{ config(materialized='view') }}

with

rates as (

    select * from {{ ref('int_leakage__rates') }}

),

-- one row per layer, sentence and feature, with its rate
markup_rates as (

    select
        sentence_number,
        id,
        layer,
        feature_group,
        feature,
        occurrences,
        words,
        rate,
    from rates

)

select * from markup_rates
