with

surroundings as (

    select * from {{ ref('int_syntax__surroundings') }}

),

universal_relations as (

    select * from {{ ref('universal_relations') }}

),

ud_trees as (

    select * from {{ ref('int_syntax__ud_trees') }}

),

{{ first_rules(
    'surroundings',
    'universal_relations',
    [
        'relation', 'base', 'is_joined_by_mark', 'value', 'lemma_class', 'pron_type', 'case_value', 'verb_form',
        'has_preposition', 'has_article', 'has_subject', 'has_other_object', 'agrees', 'differs', 'head_is_passive'
    ],
    ['ud_relation']
) }},

-- one row per published token: by the rules, or as a UD project has it
full_relations as (

    select
        gid,
        ud_relation as relation,
    from surroundings_decided

    union all

    select
        gid,
        relation,
    from ud_trees

)

select * from full_relations
