{% test has_single_root(model, sentence='sentence_number', head='head') %}
-- one row per sentence with no root or several
select
    {{ sentence }},
    count(*) filter (where {{ head }} = 0) as roots,
    count(*) as tokens,
from {{ model }}
group by {{ sentence }}
having count(*) filter (where {{ head }} = 0) <> 1
{% endtest %}
