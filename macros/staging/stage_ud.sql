{#- The three staging selects of a project in CoNLL-U. `_` is the format's sign for no value, except as a form. -#}

{% macro stage_ud_documents(project) %}
select
    '{{ project }}' as project,
    path,
    bytes,
    sha256,
    revision,
    'grc' as language,
    null::varchar as title,
    null::varchar as author,
    []::varchar[] as annotators
from {{ source(project, 'documents') }}
{% endmacro %}

{% macro stage_ud_sentences(project) %}
select
    '{{ project }}' as project,
    path,
    position,
    line,
    sent_id as source_sentence_id,
    source as source_comment,
    text as source_text,
    newdoc_id
from {{ source(project, 'sentences') }}
{% endmacro %}

{% macro stage_ud_tokens(project) %}
select
    '{{ project }}' as project,
    path,
    sentence_position,
    position as source_index,
    line,
    id as source_token,
    case
        when contains(id, '-') then 'range'
        when contains(id, '.') then 'empty'
        else 'word'
    end as row_kind,
    form as native_form,
    case when lemma = '_' and form != '_' then null else lemma end as native_lemma,
    nullif(xpos, '_') as native_tag,
    nullif(upos, '_') as native_upos,
    nullif(feats, '_') as native_feats,
    nullif(head, '_') as native_head,
    nullif(deprel, '_') as native_relation,
    nullif(deps, '_') as native_deps,
    false as is_elliptic,
    coalesce(regexp_matches(misc, '(?:^|\|)SpaceAfter=No(?:\||$)'), false) as has_no_blank,
    nullif(regexp_extract(misc, '(?:^|\|)Ref=([^|]*)', 1), '') as citation
from {{ source(project, 'tokens') }}
{% endmacro %}
