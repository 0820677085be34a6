{#-
    Argument of a preposition or clause of a subordinator: content before particles, the preferred kind before others,
    right of the function word before left of it.
-#}
{% macro rank_of_argument() -%}
case
    when not children.is_leaf and not children.is_segment then 0
    when children.is_leaf and children.is_argument then 4
end
+ case
    when children.parent_role = 'preposition'
        then if(children.is_light and not children.is_resolved, 2, 0)
    when children.is_verb then 0
    when children.is_resolved and children.stands_for_clause then 0
    else 2
end
+ if(children.rep_gid > children.parent_gid, 0, 1)
{%- endmacro %}
