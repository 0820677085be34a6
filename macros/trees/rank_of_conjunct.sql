{#-
    Member of a coordination: marked with CO; a nested coordination without the mark, where no other child is marked or
    one of its function is; failing both, a child with the function of the first.
-#}
{% macro rank_of_conjunct() -%}
case
    when children.co > 0 then 0
    when
        children.is_coordination
        and (not marks.has_co or list_contains(marks.co_bases, children.base))
        then 0
    when
        not marks.has_co
        and not marks.has_nested
        and not children.is_leaf
        and children.base = marks.first_base
        then 0
end
{%- endmacro %}
