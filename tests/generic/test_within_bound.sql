{% test within_bound(model, column_name, bound, advice) %}
-- one row when the greatest value is above the bound: the value, the bound and what to do
select
    max({{ column_name }}) as greatest,
    {{ bound }} as bound,
    '{{ advice }}' as advice,
from {{ model }}
having max({{ column_name }}) > {{ bound }}
{% endtest %}
