with

tokens as (

    select * from {{ source('raw', 'native_xml_tokens') }}

)

select
    project,
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
    nullif(trim(cite), '') as citation,
from tokens
