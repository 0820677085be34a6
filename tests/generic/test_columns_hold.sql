{% test columns_hold(
    model, filled=[], not_empty=[], not_negative=[], shares=[], among={}, together=[], either=[]
) %}

{#- one entry per rule of a column: the column, the rule, and what counts the rows that break it -#}
{%- set rules = [] -%}
{%- for column in filled -%}
    {%- do rules.append((column, 'filled', 'count(*) - count(' ~ column ~ ')')) -%}
{%- endfor -%}
{%- for column in not_empty -%}
    {%- do rules.append((column, 'not_empty', 'count_if(len(' ~ column ~ ') = 0)')) -%}
{%- endfor -%}
{%- for column in not_negative -%}
    {%- do rules.append((column, 'not_negative', 'count_if(' ~ column ~ ' < 0)')) -%}
{%- endfor -%}
{%- for column in shares -%}
    {%- do rules.append((column, 'shares', 'count_if(' ~ column ~ ' not between 0 and 1)')) -%}
{%- endfor -%}
{%- for column, known in among.items() -%}
    {%- do rules.append((column, 'among', 'count_if(' ~ column ~ " not in ('" ~ known | join("', '") ~ "'))")) -%}
{%- endfor -%}
{%- for columns in together -%}
    {%- for column in columns[1:] -%}
        {%- do rules.append((column, 'together', 'count_if((' ~ column ~ ' is null) <> (' ~ columns[0] ~ ' is null))')) -%}
    {%- endfor -%}
{%- endfor -%}
{%- for one, other in either -%}
    {%- do rules.append((one, 'either', 'count_if((' ~ one ~ ' is null) = (' ~ other ~ ' is null))')) -%}
{%- endfor -%}
{%- if not rules -%}
    {{ exceptions.raise_compiler_error('columns_hold: expected a rule for a column, found none') }}
{%- endif -%}

with

-- one row, with the broken rows of every rule: the model is read once
counted as (

    select
        [
            {% for column, rule, broken_rows in rules %}
                {
                    'column_name': '{{ column }}',
                    'rule': '{{ rule }}',
                    'broken_rows': {{ broken_rows }}
                }{{ ',' if not loop.last }}
            {% endfor %}
        ] as rules,
    from {{ model }}

),

-- one row per column and rule
held as (

    select unnest(rules, recursive := true)
    from counted

)

select * from held
where broken_rows > 0

{% endtest %}
