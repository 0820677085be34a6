{#- Note that a whole run ended without a failure; a failure of any run, tests included, takes that back. -#}
{% macro end_run(results) %}
    {% if execute %}
        {% set failed = results | selectattr('status', 'in', ['error', 'fail', 'skipped', 'runtime error']) | list %}
        {% if failed %}
            {% do run_query("update raw.whole_run set is_finished = false") %}
        {% elif is_whole_run() %}
            {% do run_query("update raw.whole_run set is_finished = true where input = (select input from raw.present_input)") %}
        {% endif %}
    {% endif %}
{% endmacro %}
