with

trees as (

    select * from {{ ref('int_syntax__native_trees') }}

),

relations as (

    select * from {{ ref('int_syntax__relations') }}

),

words as (

    select * from {{ ref('int_morphology__full_words') }}

),

relation_kinds as (

    select * from {{ ref('relation_kinds') }}

),

-- one row per word with words below it: what they are
families as (

    select
        trees.head_gid as gid,
        bool_or(coalesce(relation_kinds.is_preposition, false)) as has_preposition,
        bool_or(trees.relation = 'nmod' and coalesce(words.pron_type = 'Art', false)) as has_article,
        bool_or(coalesce(relation_kinds.is_subject, false)) as has_subject,
        max(words.verb_form) filter (where relation_kinds.is_copula) as verb_form,
        count(*) filter (where relation_kinds.is_object) as objects,
    from trees
    inner join words
        on trees.gid = words.gid
    left join relation_kinds
        on trees.relation = relation_kinds.relation
    where trees.head_gid > 0
    group by trees.head_gid

),

-- one row per published token of a native project
surroundings as (

    select
        trees.gid,
        trees.relation,
        coalesce(nullif(relations.base, ''), 'none') as base,
        relations.is_joined_by_mark,
        words.value,
        words.lemma_class,
        words.pron_type,
        words.case_value,
        coalesce(families.verb_form, words.verb_form) as verb_form,
        coalesce(families.has_preposition, false) as has_preposition,
        coalesce(families.has_article, false) as has_article,
        coalesce(families.has_subject, false) as has_subject,
        coalesce(siblings.objects > 1, false) as has_other_object,
        coalesce(
            words.case_value = heads.case_value
            and coalesce(words.number = heads.number, true)
            and coalesce(words.gender = heads.gender, true),
            false
        ) as agrees,
        -- the genitive of an owner can stand beside a genitive by chance
        coalesce(words.case_value <> heads.case_value, false)
        or (
            coalesce(words.case_value = 'Gen' and heads.case_value = 'Gen', false)
            and (coalesce(words.number <> heads.number, false) or coalesce(words.gender <> heads.gender, false))
        ) as differs,
        coalesce(heads.is_passive, false) as head_is_passive,
    from trees
    inner join relations
        on trees.gid = relations.gid
    inner join words
        on trees.gid = words.gid
    left join families
        on trees.gid = families.gid
    left join families as siblings
        on trees.head_gid = siblings.gid
    left join words as heads
        on trees.head_gid = heads.gid

)

select * from surroundings
