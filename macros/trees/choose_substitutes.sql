{#-
    One pass of the head conversion (R5 to R7): for every function node of one height the child that replaces it.
    Five CTEs, each a macro of its own; the last one, chosen_<height>, is what the passes above read.
-#}
{% macro choose_substitutes(height) %}
-- one row per child of a function node of height {{ height }}, as its parent sees it
children_{{ height }} as materialized (

    {{ children_as_seen(height) }}

),

-- one row per coordination or apposition of height {{ height }}: how its members are marked
marks_{{ height }} as (

    {{ marks_of_members(height) }}

),

-- one row per child of a function node of height {{ height }}: its rank, null when it cannot be chosen
ranked_{{ height }} as (

    {{ ranks_of_children(height) }}

),

-- one row per function node of height {{ height }}: the child that replaces it
best_{{ height }} as (

    {{ best_children(height) }}

),

-- one row per function node of height {{ height }} with a replacement, as its own parent will see it
chosen_{{ height }} as materialized (

    {{ nodes_as_seen(height) }}

)
{%- endmacro %}
