{% test has_contiguous_ids(model, sentence='sentence_number', token='token_index') %}
-- one row per sentence whose token numbers are not 1..n
select
    {{ sentence }},
    min({{ token }}) as first_token,
    max({{ token }}) as last_token,
    count(*) as tokens,
from {{ model }}
group by {{ sentence }}
having
    min({{ token }}) <> 1
    or max({{ token }}) <> count(*)
    or count(distinct {{ token }}) <> count(*)
{% endtest %}
