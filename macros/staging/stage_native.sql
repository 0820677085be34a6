{#- The three staging selects of a project in native XML: renamed and trimmed, one meaning per column. -#}

{% macro stage_native_documents(project) %}
select
    '{{ project }}' as project,
    path,
    bytes,
    sha256,
    revision,
    language,
    title,
    author,
    annotators
from {{ source(project, 'documents') }}
{% endmacro %}

{% macro stage_native_sentences(project) %}
select
    '{{ project }}' as project,
    path,
    position,
    line,
    id as source_sentence_id,
    document_id,
    nullif(trim(subdoc), '') as subdoc,
    nullif(trim(corrupt), '') as source_flag,
    annotators
from {{ source(project, 'sentences') }}
{% endmacro %}

{% macro stage_native_tokens(project) %}
select
    '{{ project }}' as project,
    path,
    sentence_position,
    position as source_index,
    line,
    id as source_token,
    'word' as row_kind,
    form as native_form,
    lemma as native_lemma,
    postag as native_tag,
    null::varchar as native_upos,
    null::varchar as native_feats,
    head as native_head,
    relation as native_relation,
    -- An elliptic node: marked as artificial, or a form that is only a number in brackets.
    (
        artificial is not null
        or insertion_id is not null
        or coalesce(regexp_matches(form, '^\[\s*\d*\s*\]$'), false)
    ) as is_elliptic,
    nullif(trim(cite), '') as citation
from {{ source(project, 'tokens') }}
{% endmacro %}
