with

native_labels as (

    select * from {{ ref('int_syntax__labels') }}

),

ud_labels as (

    select * from {{ ref('int_syntax__ud_labels') }}

),

projects as (

    select * from {{ ref('projects') }}

),

allowed_labels as (

    select * from {{ ref('allowed_labels') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per convention and label that its table does not have
labels as (

    select
        false as is_ud,
        native_relation,
        base,
        co,
        ap,
    from native_labels
    where not is_listed

    union all

    select
        true as is_ud,
        native_relation,
        relation as base,
        0 as co,
        0 as ap,
    from ud_labels
    where not is_listed

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
        projects.syntax_scheme,
    from labels
    inner join tokens
        on labels.native_relation = coalesce(tokens.native_relation, '')
    inner join projects
        on
            tokens.project = projects.project
            and labels.is_ud = (projects.syntax_scheme = 'ud')
    inner join sentences
        on tokens.sentence_number = sentences.sentence_number
    where tokens.row_kind = 'word'
    group by
        tokens.project,
        labels.native_relation,
        labels.base,
        labels.co,
        labels.ap,
        projects.syntax_scheme

),

-- one row per project and label, with the permission it may have
unknown_relations as (

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
        unknown.syntax_scheme,
    from unknown
    left join allowed_labels
        on {{ without_outer_blanks('unknown.native_relation') }} = allowed_labels.relation

)

select * from unknown_relations
