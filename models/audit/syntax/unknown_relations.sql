with

labels as (

    select * from {{ ref('int_syntax__labels') }}

),

allowed_labels as (

    select * from {{ ref('allowed_labels') }}

),

tokens as (

    select * from {{ ref('int_corpus__tokens') }}

),

sentences as (

    select * from {{ ref('int_corpus__sentences') }}

),

-- one row per project and label that the table does not have
unknown as (

    select
        tokens.project,
        labels.native_relation,
        labels.base,
        labels.co,
        labels.ap,
        count(*) as tokens,
        arg_min(sentences.sentence_id, tokens.gid) as first_sentence_id,
        arg_min(tokens.source_token, tokens.gid) as first_source_token,
    from labels
    inner join tokens
        on labels.native_relation = coalesce(tokens.native_relation, '')
    inner join sentences
        on tokens.sentence_number = sentences.sentence_number
    where
        not labels.is_listed
        and tokens.native_upos is null
    group by tokens.project, labels.native_relation, labels.base, labels.co, labels.ap

),

-- one row per project and label, with the permission it may have
final as (

    select
        unknown.project,
        unknown.native_relation,
        unknown.base,
        unknown.co,
        unknown.ap,
        unknown.tokens,
        unknown.first_sentence_id,
        unknown.first_source_token,
        allowed_labels.relation is not null as is_allowed,
    from unknown
    left join allowed_labels
        on trim(unknown.native_relation) = allowed_labels.relation

)

select * from final
