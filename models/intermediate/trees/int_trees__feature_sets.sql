with

full_annotation as (

    select * from {{ ref('int_syntax__full_annotation') }}

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

machine_trees as (

    select * from {{ ref('int_machine__trees') }}

),

-- one row per FEATS string that occurs in one of the layers
strings as (

    select ud_feats as feats
    from full_annotation
    union
    select feats
    from morphology
    union
    select feats
    from machine_trees

),

-- one row per FEATS string, its features of the published inventory as columns
feature_sets as (

    select
        feats,
        {%- for feature in feature_columns() %}
            {{ feature_value('feats', feature) }} as {{ feature_column(feature) }},
        {%- endfor %}
    from strings
    where feats is not null

)

select * from feature_sets
order by feats
