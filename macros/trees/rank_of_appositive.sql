{#- Member of an apposition: marked with AP, else with CO; failing both, a child with the function of the first. -#}
{% macro rank_of_appositive() -%}
case
    when marks.has_ap then if(children.ap > 0, 0, null)
    when marks.has_co then if(children.co > 0, 0, null)
    when not children.is_leaf and children.base = marks.first_base then 0
end
{%- endmacro %}
