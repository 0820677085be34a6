with

sentences as (

    select * from {{ ref('int_machine__sentences') }}

),

training_sentences as (

    select * from {{ ref('int_machine__training') }}

),

withheld as (

    select * from {{ ref('int_machine__withheld') }}

),

-- one row per fold with a sentence
parsed as (

    select
        fold,
        list_sort(list(distinct canonical_work)) as works,
        count(*) as sentences,
        sum(word_count)::bigint as words,
    from sentences
    group by fold

),

-- one row per fold and sentence of other works that its models may learn from
others as (

    select
        parsed.fold,
        training_sentences.word_count,
        training_sentences.is_published,
        withheld.id is not null as is_withheld,
    from parsed
    inner join training_sentences
        on parsed.fold is distinct from training_sentences.fold
    left join withheld
        on
            parsed.fold = withheld.fold
            and training_sentences.id = withheld.id

),

-- one row per fold: what its models learn from
training as (

    select
        fold,
        count(*) filter (where not is_withheld) as training_sentences,
        coalesce(sum(word_count) filter (where not is_withheld), 0)::bigint as training_words,
        count(*) filter (where not is_withheld and not is_published) as unpublished_sentences,
        count(*) filter (where is_withheld) as withheld_sentences,
    from others
    group by fold

),

-- one row per fold with a sentence
folds as (

    select
        parsed.fold,
        parsed.works,
        parsed.sentences,
        parsed.words,
        coalesce(training.training_sentences, 0) as training_sentences,
        coalesce(training.training_words, 0) as training_words,
        coalesce(training.unpublished_sentences, 0) as unpublished_sentences,
        coalesce(training.withheld_sentences, 0) as withheld_sentences,
    from parsed
    left join training
        on parsed.fold = training.fold

)

select * from folds
order by fold
