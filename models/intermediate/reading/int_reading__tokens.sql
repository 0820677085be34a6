-- depends_on: {{ ref('int_catalogue__checked_input') }}
with

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

tokens as (

    select * from {{ ref('stg_native_xml__tokens') }}
    union all
    select * exclude (native_deps, has_no_blank) from {{ ref('stg_conllu__tokens') }}

),

-- one row per token row of every sentence
keyed as (

    select
        {{ token_key('sentences.sentence_number', 'tokens.source_index') }} as gid,
        sentences.sentence_number,
        tokens.source_index,
        tokens.project,
        tokens.source_token,
        tokens.row_kind,
        coalesce(tokens.native_form, '') as native_form,
        tokens.native_lemma,
        tokens.native_tag,
        tokens.native_upos,
        tokens.native_feats,
        tokens.native_head,
        tokens.native_relation,
        tokens.is_elliptic,
        tokens.citation,
    from tokens
    inner join sentences
        on
            tokens.project = sentences.project
            and tokens.path = sentences.path
            and tokens.sentence_position = sentences.position

)

select * from keyed
