{#- Stop without input. From here to the end of a whole run the warehouse counts as unfinished. -#}
{% macro begin_run() %}
    {% if execute %}
        {% set read = run_query("select count(*) from duckdb_tables() where schema_name = 'raw' and table_name = 'files'") %}
        {% if read.rows[0][0] == 0 %}
            {% do exceptions.raise_compiler_error(
                "expected the treebanks in " ~ target.path ~ ", found none: run `python -m ingest` first, or `make build`"
            ) %}
        {% endif %}
        {% do run_query("create table if not exists raw.whole_run (input varchar, is_finished boolean)") %}
        {% do run_query("comment on table raw.whole_run is 'One row: the last run of all models.'") %}
        {% do run_query("comment on column raw.whole_run.input is 'Checksum of the input when it began, as in raw.present_input.'") %}
        {% do run_query("comment on column raw.whole_run.is_finished is 'Whether it, or its retry, ended without a failure.'") %}
        {% do run_query(
            "create or replace view raw.present_input as select sha256(string_agg("
            ~ "concat_ws('|', project, path, status, sha256, reader), chr(10) order by project, path)) as input from raw.files"
        ) %}
        {% do run_query("comment on view raw.present_input is 'Checksum of the files that are in the raw tables now.'") %}
        {% if is_whole_run() %}
            {% do run_query("update raw.whole_run set is_finished = false") %}
            {#- A retry goes on with what the run that failed has built from the input of that time. -#}
            {% if 'retry' not in (invocation_args_dict.get('invocation_command') or '') %}
                {% do run_query("delete from raw.whole_run") %}
                {% do run_query("insert into raw.whole_run select input, false from raw.present_input") %}
            {% endif %}
        {% endif %}
    {% endif %}
{% endmacro %}
