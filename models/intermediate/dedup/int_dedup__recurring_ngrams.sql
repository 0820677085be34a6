with

ngrams as (

    select * from {{ ref('int_dedup__ngrams') }}

),

-- one row per 4-gram that stands in more than one sentence
recurring as (

    select
        {{ ngram_columns() }},
        count(*)::integer as sentences,
    from ngrams
    group by {{ ngram_columns() }}
    having count(*) > 1

),

-- one row per recurring 4-gram, rare ones first
numbered as (

    select
        {{ ngram_columns() }},
        sentences,
        (row_number() over (order by sentences, {{ ngram_columns() }}))::integer as ngram_number,
    from recurring

),

-- one row per sentence and recurring 4-gram
recurring_ngrams as (

    select
        ngrams.sentence_number,
        numbered.ngram_number,
        numbered.sentences,
        (row_number() over (
            partition by ngrams.sentence_number order by numbered.ngram_number
        ))::integer as rarity,
        (count(*) over (partition by ngrams.sentence_number))::integer as recurring_in_sentence,
    from ngrams
    inner join numbered
        on {{ same_ngram('ngrams', 'numbered') }}

)

select * from recurring_ngrams
