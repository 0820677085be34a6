with

fates as (

    select * from {{ ref('corpus_sentence_fates') }}

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

-- one row per sentence read, with its place among those of its fate
placed as (

    select
        fates.fate,
        row_number() over (
            partition by fates.fate
            order by fates.project, fates.path, fates.position
        ) as place,
        row_number() over (
            partition by fates.fate
            order by sentences.sentence_number
        ) as place_in_reading,
        fates.sentence_id,
        fates.author,
        sentences.text,
        fates.survivor_id,
        fates.reason,
    from fates
    inner join sentences
        on fates.sentence_id = sentences.sentence_id

),

-- one row per fate and sentence that is shown for it
examples as (

    select
        placed.fate,
        if(placed.place <= {{ var('examples_per_fate') }}, placed.place, null) as place,
        if(
            placed.place_in_reading <= {{ var('examples_per_fate') }}, placed.place_in_reading, null
        ) as place_in_reading,
        placed.sentence_id,
        placed.author,
        placed.text,
        placed.survivor_id,
        survivors.text as survivor_text,
        placed.reason,
    from placed
    left join sentences as survivors
        on placed.survivor_id = survivors.sentence_id
    where least(placed.place, placed.place_in_reading) <= {{ var('examples_per_fate') }}

)

select * from examples
order by fate, place, place_in_reading
