{#- Note what a whole run has left undone; a failure of any other run takes its mark away. -#}
{% macro end_run(results) %}
    {% if execute %}
        {% set run = kind_of_run() %}
        {% set done = results | selectattr('status', 'in', ['success', 'pass', 'warn', 'no-op'])
            | map(attribute='node.unique_id') | list %}
        {% if run == 'whole' %}
            {% set undone = selected_resources | reject('in', done) | sort | join("', '") %}
            {% do run_query("update raw.whole_run set undone = list_filter(['" ~ undone ~ "'], lambda name: name <> '')") %}
        {% elif run == 'retry' %}
            {% do run_query(
                "update raw.whole_run set undone = list_filter(undone, lambda name: name not in ('" ~ done | join("', '") ~ "'))"
            ) %}
        {% elif done | length < results | length %}
            {% do run_query("delete from raw.whole_run") %}
        {% endif %}
        {% do run_query(
            "update raw.whole_run set is_finished = coalesce(len(undone) = 0, false) "
            ~ "and input is not distinct from (select input from raw.present_input)"
        ) %}
    {% endif %}
{% endmacro %}
