{#- Whether this run builds all models, not some that were selected; the tests may be left out. -#}
{% macro is_whole_run() %}
    {% set given = invocation_args_dict %}
    {% set selection = [given.get('select'), given.get('exclude'), given.get('selector'), given.get('resource_types')] %}
    {{ return(given.get('which') in ('build', 'run') and not (selection | select | list)) }}
{% endmacro %}
