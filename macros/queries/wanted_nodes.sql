{#- CTE `nodes`: the sentence in `subjects` in one layer of corpus.nodes. `layer` is the parameter of the macro. -#}
{% macro wanted_nodes() -%}
-- one row per node of the sentence in the layer
nodes as (

    select nodes.*
    from {{ ref('corpus_nodes').include(database=false) }} as nodes
    inner join subjects
        on nodes.sentence_number = subjects.sentence_number
    where nodes.layer = layer

)
{%- endmacro %}
