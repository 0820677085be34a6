{#-
    Dunning's log-likelihood of four cells: twice the sum of observed times the logarithm of observed over expected. Negative
    where the first cell is smaller than expected. A cell of 0 adds nothing.
-#}
{% macro log_likelihood(a, b, c, d) -%}
{%- set cells = [[a, a ~ ' + ' ~ b, a ~ ' + ' ~ c], [b, a ~ ' + ' ~ b, b ~ ' + ' ~ d],
                 [c, c ~ ' + ' ~ d, a ~ ' + ' ~ c], [d, c ~ ' + ' ~ d, b ~ ' + ' ~ d]] -%}
{%- set total = a ~ ' + ' ~ b ~ ' + ' ~ c ~ ' + ' ~ d -%}
if({{ a }} * ({{ total }}) < ({{ a }} + {{ b }}) * ({{ a }} + {{ c }}), -2, 2) * (
    {%- for cell, row, column in cells %}
    {{ '+ ' if not loop.first }}if({{ cell }} > 0, {{ cell }} * ln({{ cell }} * ({{ total }}) / (({{ row }}) * ({{ column }}))), 0)
    {%- endfor %}
)
{%- endmacro %}
