{% test has_heads_in_range(model, sentence='sentence_number', token='token_index', head='head') %}
-- one row per token whose head is no token of its sentence, or is itself
select
    tokens.{{ sentence }},
    tokens.{{ token }},
    tokens.{{ head }},
from {{ model }} as tokens
left join {{ model }} as heads
    on
        tokens.{{ sentence }} = heads.{{ sentence }}
        and tokens.{{ head }} = heads.{{ token }}
where
    tokens.{{ head }} is null
    or tokens.{{ head }} = tokens.{{ token }}
    or (tokens.{{ head }} <> 0 and heads.{{ token }} is null)
{% endtest %}
