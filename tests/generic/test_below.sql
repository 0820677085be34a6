{% test below(model, column_name, bound) %}

select {{ column_name }}
from {{ model }}
where {{ column_name }} >= {{ bound }}

{% endtest %}
