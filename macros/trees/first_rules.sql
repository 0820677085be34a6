{#-
    CTEs that decide rows by a table of rules: the first one, by `place`, all of whose conditions hold. A rule without a
    value in a column does not look at it. Reads the CTEs `cases` and `rules`; the result is `<cases>_decided`, the rows
    of `cases` for which a rule holds, with the columns `results` of that rule. The rules are asked once for every
    combination of values that occurs, not once for every row.
-#}
{% macro first_rules(cases, rules, conditions, results) %}
-- one row per combination of values that occurs
{{ cases }}_kinds as materialized (

    select distinct
        {%- for condition in conditions %}
            {{ condition }},
        {%- endfor %}
    from {{ cases }}

),

-- one row per combination for which a rule holds: what the first one says
{{ cases }}_ruled as materialized (

    select
        {%- for condition in conditions %}
            kinds.{{ condition }},
        {%- endfor %}
        {%- for result in results %}
            arg_min(rules.{{ result }}, rules.place) as {{ result }},
        {%- endfor %}
    from {{ cases }}_kinds as kinds
    inner join {{ rules }} as rules
        on
            true
            {%- for condition in conditions %}
                and (rules.{{ condition }} is null or kinds.{{ condition }} = rules.{{ condition }})
            {%- endfor %}
    group by all

),

-- one row per case for which a rule holds
{{ cases }}_decided as (

    select
        cases.*,
        {%- for result in results %}
            ruled.{{ result }},
        {%- endfor %}
    from {{ cases }} as cases
    inner join {{ cases }}_ruled as ruled
        on
            true
            {%- for condition in conditions %}
                and cases.{{ condition }} is not distinct from ruled.{{ condition }}
            {%- endfor %}

)
{%- endmacro %}
