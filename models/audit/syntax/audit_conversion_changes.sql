with

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per token that another token hangs on
heads as (

    select distinct
        sentence_number,
        head as token_index,
    from trees
    where head > 0

),

-- one row per project
counted as (

    select
        sentences.project,
        count(*) as tokens,
        count(*) filter (where trees.is_head_converted) as heads_changed,
        count(*) filter (where trees.head <> trees.ud_head) as coordinators_moved,
        count(*) filter (where trees.deprel = 'case') as function_words,
        count(*) filter (
            where trees.deprel = 'case' and heads.token_index is not null
        ) as function_words_with_dependents,
        count(*) filter (where trees.head_repair = 'missing_head') as missing_head,
        count(*) filter (where trees.head_repair = 'self_loop') as self_loop,
        count(*) filter (where trees.head_repair = 'cycle') as cycle,
        count(*) filter (where trees.head_repair = 'ellipsis') as ellipsis,
        count(*) filter (where trees.head_repair = 'editorial') as editorial,
        count(*) filter (where trees.head_repair = 'extra_root') as extra_root,
    from trees
    inner join sentences
        on trees.sentence_number = sentences.sentence_number
    left join heads
        on
            trees.sentence_number = heads.sentence_number
            and trees.token_index = heads.token_index
    group by sentences.project

),

-- one row per project, with its shares
conversion_changes as (

    select
        project,
        tokens,
        heads_changed,
        heads_changed / tokens as share_of_heads_changed,
        coordinators_moved,
        function_words,
        function_words_with_dependents,
        coalesce(function_words_with_dependents / nullif(function_words, 0), 0)
            as share_of_function_words_with_dependents,
        missing_head,
        self_loop,
        cycle,
        ellipsis,
        editorial,
        extra_root,
    from counted

)

select * from conversion_changes
