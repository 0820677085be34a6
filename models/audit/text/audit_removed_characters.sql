with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

-- one row per project and form or lemma that holds one
vocabulary as (

    select
        project,
        'form' as field,
        native_form as value,
        count(*) as tokens,
    from tokens
    where regexp_matches(native_form, '[\p{Cc}\p{Cf}\p{Z}]')
    group by project, native_form

    union all

    select
        project,
        'lemma' as field,
        native_lemma as value,
        count(*) as tokens,
    from tokens
    where regexp_matches(native_lemma, '[\p{Cc}\p{Cf}\p{Z}]')
    group by project, native_lemma

),

-- one row per invisible character of each of them
characters as (

    select
        project,
        field,
        tokens,
        unnest(regexp_extract_all(value, '[\p{Cc}\p{Cf}\p{Z}]')) as sign,
    from vocabulary

),

-- one row per project, field and character
removed_characters as (

    select
        project,
        field,
        printf('U+%04X', unicode(sign)) as code_point,
        sum(tokens)::bigint as occurrences,
    from characters
    group by project, field, sign

)

select * from removed_characters
