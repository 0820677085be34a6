with recursive

works as (

    select * from {{ ref('int_machine__families') }}

),

-- one row per family, the largest first
families as (

    select
        family,
        sum(words)::bigint as words,
        row_number() over (order by sum(words) desc, family) as place,
    from works
    group by family

),

-- one row per family that has its fold, after a first row with empty folds: words of every fold so far
filled as (

    select
        0::bigint as place,
        null::varchar as family,
        null::integer as fold,
        list_transform(range({{ var('machine_folds') }}), lambda number: 0::bigint) as fold_words

    union all

    select
        families.place,
        families.family,
        emptiest.fold - 1 as fold,
        list_concat(
            list_slice(emptiest.fold_words, 1, emptiest.fold - 1),
            [emptiest.fold_words[emptiest.fold] + families.words],
            list_slice(emptiest.fold_words, emptiest.fold + 1, {{ var('machine_folds') }})
        ) as fold_words,
    from (
        select
            place,
            fold_words,
            list_position(fold_words, list_min(fold_words))::integer as fold,
        from filled
    ) as emptiest
    inner join families
        on emptiest.place + 1 = families.place

),

-- one row per canonical work
folds as (

    select
        works.canonical_work,
        works.family,
        works.sentences,
        works.words,
        filled.fold,
    from works
    inner join filled
        on works.family = filled.family

)

select * from folds
