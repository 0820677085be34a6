-- dedup-survivors-stay: an exact duplicate points at the chosen copy of its own letters; a
-- near-duplicate at a sentence of its author that no deduplication rule removed.
with

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

)

select
    outcomes.sentence_number,
    outcomes.outcome,
    survivors.sentence_number as survivor_number,
    survivors.outcome as survivor_outcome,
from outcomes
inner join sentences on outcomes.sentence_number = sentences.sentence_number
inner join texts on outcomes.sentence_number = texts.sentence_number
left join outcomes as survivors on outcomes.survivor_number = survivors.sentence_number
left join sentences as survivor_sentences
    on survivors.sentence_number = survivor_sentences.sentence_number
left join texts as survivor_texts
    on survivors.sentence_number = survivor_texts.sentence_number
where
    (
        outcomes.outcome = 'exact_duplicate'
        and (
            survivors.outcome is null
            or survivors.outcome in (
                'exact_duplicate', 'author_conflict', 'no_words', 'excluded_work', 'skipped_document'
            )
            or texts.dedup_key is distinct from survivor_texts.dedup_key
        )
    )
    or (
        outcomes.outcome = 'near_duplicate'
        and (
            survivors.outcome is null
            or survivors.outcome not in ('entered', 'corrupt')
            or sentences.author is distinct from survivor_sentences.author
        )
    )
    or (
        outcomes.outcome not in ('exact_duplicate', 'near_duplicate')
        and outcomes.survivor_number is not null
    )
