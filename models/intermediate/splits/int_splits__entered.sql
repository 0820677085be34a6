with

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

catalogue as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

-- one row per sentence that entered
entered as (

    select
        catalogue.sentence_number,
        catalogue.sentence_id,
        texts.dedup_key,
        {{ published_id('texts.dedup_key') }} as published_id,
        texts.word_count,
        catalogue.author,
        catalogue.canonical_work,
        catalogue.work,
        catalogue.genre,
        catalogue.project as treebank_source,
        catalogue.path,
        catalogue.position,
        {{ passage_key('catalogue.passage') }} as passage_key,
    from outcomes
    inner join catalogue on outcomes.sentence_number = catalogue.sentence_number
    inner join texts on outcomes.sentence_number = texts.sentence_number
    where outcomes.outcome = 'entered'

),

-- one row per canonical work: can its rows be ordered by their passages?
works as (

    select
        author,
        canonical_work,
        count(*) = count(passage_key)
        and min(array_length(passage_key)) = max(array_length(passage_key)) as has_comparable_passages,
    from entered
    group by author, canonical_work

),

-- one row per sentence that entered, with its place in the work and its pseudo-random orders
entered_sentences as (

    select
        entered.sentence_number,
        entered.sentence_id,
        entered.dedup_key,
        entered.published_id,
        entered.word_count,
        entered.author,
        entered.canonical_work,
        entered.work,
        entered.genre,
        entered.treebank_source,
        works.has_comparable_passages,
        row_number() over (
            partition by entered.author, entered.canonical_work
            order by
                case when works.has_comparable_passages then entered.passage_key end,
                {{ natural_order('entered.path') }},
                entered.path,
                entered.position,
                entered.sentence_number
        ) as text_rank,
        {{ hash_order(var('benchmark_seed'), 'split', 'entered.dedup_key') }} as split_order,
        {{ hash_order(var('benchmark_seed'), 'surplus', 'entered.dedup_key') }} as surplus_order,
        {{ hash_order(var('benchmark_seed'), 'held_out_split', 'entered.dedup_key') }}
            as held_out_split_order,
    from entered
    inner join works
        on
            entered.author = works.author
            and entered.canonical_work = works.canonical_work

)

select * from entered_sentences
