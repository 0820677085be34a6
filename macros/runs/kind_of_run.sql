{#-
    What a run does to the tables: `whole` builds and tests everything, `retry` goes on with a whole run that failed,
    `nothing` tests only, `partial` is whatever else. Called by the hooks of a run.
-#}
{% macro kind_of_run() %}
    {% set given = invocation_args_dict %}
    {#- These only write the hooks down. -#}
    {% if given.get('which') in ('compile', 'generate', 'show', 'parse', 'list', 'freshness') %}
        {{ return('nothing') }}
    {% endif %}
    {#- Unit tests ask the SQL, on rows of their own, and nothing of what is built: without them a run is whole. -#}
    {% set restricted = [
        given.get('select'), given.get('models'), given.get('exclude'), given.get('selector'),
        given.get('resource_types'), given.get('empty'), given.get('sample'),
        given.get('event_time_start'), given.get('event_time_end'), given.get('defer'),
        (given.get('exclude_resource_types') or []) | reject('equalto', 'unit_test') | list,
    ] %}
    {% set is_unrestricted = given.get('which') == 'build' and not (restricted | select | list) %}
    {#- A retry takes what failed without selecting it. -#}
    {% if not selected_resources %}
        {{ return('retry' if is_unrestricted else 'partial') }}
    {% endif %}
    {% set left_out = graph.nodes.values()
        | selectattr('resource_type', 'in', ['seed', 'model', 'snapshot', 'test'])
        | map(attribute='unique_id') | reject('in', selected_resources) | list %}
    {% if is_unrestricted and not left_out %}
        {{ return('whole') }}
    {% endif %}
    {% set replaced = [] %}
    {% for name in selected_resources if name.split('.')[0] not in ('test', 'unit_test', 'exposure') %}
        {% do replaced.append(name) %}
    {% endfor %}
    {{ return('partial' if replaced else 'nothing') }}
{% endmacro %}
