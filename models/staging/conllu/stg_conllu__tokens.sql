with

tokens as (

    select * from {{ source('raw', 'conllu_tokens') }}

)

-- `_` is the format's sign for no value, except as a form
select
    project,
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
    case when lemma = '_' and form <> '_' then null else lemma end as native_lemma,
    nullif(xpos, '_') as native_tag,
    nullif(upos, '_') as native_upos,
    nullif(feats, '_') as native_feats,
    nullif(head, '_') as native_head,
    nullif(deprel, '_') as native_relation,
    nullif(deps, '_') as native_deps,
    false as is_elliptic,
    coalesce(regexp_matches(misc, '(?:^|\|)SpaceAfter=No(?:\||$)'), false) as has_no_blank,
    nullif(regexp_extract(misc, '(?:^|\|)Ref=([^|]*)', 1), '') as citation,
from tokens
