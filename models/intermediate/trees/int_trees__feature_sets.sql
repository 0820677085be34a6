with

tokens as (

    select * from {{ ref('corpus_tokens') }}

),

-- one row per FEATS string that occurs in one of the layers
feature_sets as (

    select {{ full_inventory('feats') }} as feats
    from tokens
    union
    select feats
    from tokens
    union
    select machine_feats as feats
    from tokens

),

-- one row per FEATS string, its features of the published inventory as columns
final as (

    select
        feats,
        {%- for feature in feature_columns() %}
            {{ feature_value('feats', feature) }} as {{ feature_column(feature) }},
        {%- endfor %}
    from feature_sets
    where feats is not null

)

select * from final
order by feats
