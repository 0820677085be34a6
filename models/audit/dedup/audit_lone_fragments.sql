with

chosen as (

    select * from {{ ref('int_dedup__chosen_sentences') }}

),

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

near_duplicates as (

    select * from {{ ref('int_dedup__near_duplicates') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_words__sentences') }}

),

-- one row per sentence that stays although it stands at the edge of its document, beside a near-duplicate
lone as (

    select
        chosen.sentence_number,
        if(chosen.previous_number is null, 'first', 'last') as edge,
        coalesce(chosen.previous_number, chosen.next_number) as neighbour_number,
    from chosen
    inner join outcomes
        on chosen.sentence_number = outcomes.sentence_number
    where
        (chosen.previous_number is null) <> (chosen.next_number is null)
        and outcomes.outcome in ('entered', 'corrupt')
        and chosen.sentence_number not in (
            select near_duplicates.survivor_number from near_duplicates
        )

),

-- one row per such sentence, with its neighbour and what stands for that
lone_fragments as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.author,
        sentences.canonical_work,
        lone.edge,
        texts.text,
        neighbours.sentence_id as neighbour_id,
        survivors.sentence_id as survivor_id,
        survivor_texts.text as survivor_text,
    from lone
    inner join near_duplicates
        on lone.neighbour_number = near_duplicates.sentence_number
    inner join sentences
        on lone.sentence_number = sentences.sentence_number
    inner join texts
        on lone.sentence_number = texts.sentence_number
    inner join sentences as neighbours
        on lone.neighbour_number = neighbours.sentence_number
    inner join sentences as survivors
        on near_duplicates.survivor_number = survivors.sentence_number
    inner join texts as survivor_texts
        on near_duplicates.survivor_number = survivor_texts.sentence_number

)

select * from lone_fragments
