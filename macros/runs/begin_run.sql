{#- Stop without input, and take the mark of the last whole run away before anything is replaced. -#}
{% macro begin_run() %}
    {% if execute %}
        {% set read = run_query(
            "select count(*) from duckdb_tables() where schema_name = 'raw' and table_name in ('files', 'file_attributes')"
        ) %}
        {% if read.rows[0][0] < 2 %}
            {% do exceptions.raise_compiler_error(
                "expected the treebanks in " ~ target.path ~ ", found "
                ~ ("none" if read.rows[0][0] == 0 else "tables of an older version")
                ~ ": run `python -m ingest` first, or `make build`"
            ) %}
        {% endif %}
        {% do run_query("create table if not exists raw.whole_run (input varchar, is_finished boolean)") %}
        {% for column in ('project varchar', 'variables varchar', 'undone varchar[]', 'made_from varchar') %}
            {% do run_query("alter table raw.whole_run add column if not exists " ~ column) %}
        {% endfor %}
        {% do run_query("comment on table raw.whole_run is 'One row: the last whole run; none when other runs have replaced tables since.'") %}
        {% do run_query("comment on column raw.whole_run.input is 'Checksum of the input when it began, as in raw.present_input.'") %}
        {% do run_query("comment on column raw.whole_run.project is 'Checksum of the models, seeds, macros and settings of the project when it began.'") %}
        {% do run_query("comment on column raw.whole_run.variables is 'Variables given on the command line, as JSON: they go before those of the project.'") %}
        {% do run_query("comment on column raw.whole_run.undone is 'What it and its retries have not built or tested yet; null until it ends.'") %}
        {% do run_query("comment on column raw.whole_run.made_from is 'Fingerprint of all that tables and edition are made from but the input: programs, project, packages, settings.'") %}
        {% do run_query("comment on column raw.whole_run.is_finished is 'Whether it, or its retry, ended without a failure.'") %}
        {% do run_query(
            "create or replace view raw.present_input as select sha256(string_agg("
            ~ "concat_ws('|', project, path, status, sha256, reader), chr(10) order by project, path)) as input from raw.files"
        ) %}
        {% do run_query("comment on view raw.present_input is 'Checksum of the files that are in the raw tables now.'") %}
        {% set run = kind_of_run() %}
        {% set given = tojson(invocation_args_dict.get('vars') or {}, sort_keys=true) | replace("'", "''") %}
        {% if run == 'whole' %}
            {% do run_query("delete from raw.whole_run") %}
            {% do run_query(
                "insert into raw.whole_run (input, project, variables, made_from, is_finished) select input, "
                ~ "getvariable('sphragis_project'), '" ~ given ~ "', getvariable('sphragis_made_from'), false "
                ~ "from raw.present_input"
            ) %}
        {% elif run == 'retry' %}
            {#- A retry goes on with what the run that failed has built from the input, project and variables of that time. -#}
            {% do run_query(
                "delete from raw.whole_run where (input, project, variables) is distinct from "
                ~ "((select input from raw.present_input), getvariable('sphragis_project'), '" ~ given ~ "')"
            ) %}
            {#- What it was made from beside these may have changed between the two. -#}
            {% do run_query("update raw.whole_run set is_finished = false, made_from = null") %}
        {% elif run == 'partial' %}
            {% do run_query("delete from raw.whole_run") %}
        {% endif %}
    {% endif %}
{% endmacro %}
