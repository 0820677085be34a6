{% test known_source_flag(model, column_name) %}

select distinct
    sentences.project,
    sentences.{{ column_name }} as flag,
from {{ model }} as sentences
anti join {{ ref('source_flags') }} as flags
    on
        sentences.project = flags.project
        and sentences.{{ column_name }} = flags.flag
where sentences.{{ column_name }} is not null

{% endtest %}
