{#- Note the input of a whole run without a failure; a failure of any run, tests included, takes the note away. -#}
{% macro end_run(results) %}
    {% if execute %}
        {% set failed = results | selectattr('status', 'in', ['error', 'fail', 'skipped', 'runtime error']) | list %}
        {% if failed or is_whole_run() %}
            {% do run_query("delete from raw.finished_run") %}
        {% endif %}
        {% if is_whole_run() and not failed %}
            {% do run_query("insert into raw.finished_run select input from raw.present_input") %}
        {% endif %}
    {% endif %}
{% endmacro %}
