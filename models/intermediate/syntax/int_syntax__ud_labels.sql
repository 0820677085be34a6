with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

projects as (

    select * from {{ ref('projects') }}

),

ud_relations as (

    select * from {{ ref('ud_relations') }}

),

ud_subtypes as (

    select * from {{ ref('ud_subtypes') }}

),

missing_labels as (

    select * from {{ ref('missing_labels') }}

),

-- one row per known label
known as (

    select relation from ud_relations

    union

    select relation from ud_subtypes

),

-- one row per distinct label of the words of the UD projects, as written
labels as (

    select distinct coalesce(tokens.native_relation, '') as native_relation
    from tokens
    inner join projects
        on tokens.project = projects.project
    where
        projects.syntax_scheme = 'ud'
        and tokens.row_kind = 'word'

),

-- one row per label: blanks off
trimmed as (

    select
        native_relation,
        {{ without_outer_blanks('native_relation') }} as label,
    from labels

),

-- one row per label: the table first, then a known relation with another subtype or in other letters
readings as (

    select
        trimmed.native_relation,
        known.relation is not null or missing_labels.label is not null as is_listed,
        case
            when known.relation is not null then known.relation
            when bases.relation is not null then lower(trimmed.label)
            else 'dep'
        end as relation,
    from trimmed
    left join known
        on trimmed.label = known.relation
    left join missing_labels
        on
            coalesce(nullif(trimmed.label, ''), '(empty)') = missing_labels.label
            and missing_labels.is_universal
    left join ud_relations as bases
        on split_part(lower(trimmed.label), ':', 1) = bases.relation

)

select * from readings
