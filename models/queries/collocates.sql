-- Parameters of the macro have no table.
-- noqa: disable=RF02,RF03,RF06,ST09
with

words as (

    select * from {{ ref('corpus_words').include(database=false) }}

),

-- one row per hit
hits as (

    select words.*
    from words
    where {{ word_is('words') }}

),

-- one row per word that stands near a hit: in the span, or as its head or dependent
near as (

    select
        words.sentence_number,
        words.token_index,
    from hits
    inner join words
        on
            hits.sentence_number = words.sentence_number
            and case
                when via = 'span' then words.token_index between hits.token_index - span and hits.token_index + span
                when via = 'syntax' then words.head = hits.token_index or hits.head = words.token_index
                else error('via is span or syntax, not ' || via)
            end
    where words.token_index <> hits.token_index
    group by words.sentence_number, words.token_index

),

-- one row per word that is no hit itself, and whether it stands near one
others as (

    select
        words.lemma,
        near.token_index is not null as is_near,
    from words
    anti join hits
        on
            words.sentence_number = hits.sentence_number
            and words.token_index = hits.token_index
    left join near
        on
            words.sentence_number = near.sentence_number
            and words.token_index = near.token_index

),

-- one row: the words that are no hits, those near one, and the hits
totals as (

    select
        count(*)::double as all_words,
        count(*) filter (others.is_near)::double as near_words,
        (select count(*) from hits)::double as hit_count,
    from others

),

-- one row per collocate with the four cells
cells as (

    select
        others.lemma as collocate,
        count(*) filter (others.is_near)::double as near_with,
        any_value(totals.near_words) - near_with as near_without,
        count(*)::double - near_with as far_with,
        any_value(totals.all_words) - any_value(totals.near_words) - far_with as far_without,
        any_value(totals.hit_count) as hit_count,
    from others
    cross join totals
    where others.lemma is not null
    group by others.lemma
    having count(*) filter (others.is_near) >= minimum

),

-- one row per collocate
collocates as (

    select
        cells.collocate,
        cells.near_with::integer as near_with,
        cells.near_without::integer as near_without,
        cells.far_with::integer as far_with,
        cells.far_without::integer as far_without,
        round({{ log_likelihood('cells.near_with', 'cells.near_without', 'cells.far_with', 'cells.far_without') }}, 3)
            as log_likelihood,
        round(14 + log2(2 * cells.near_with / (cells.hit_count + cells.near_with + cells.far_with)), 3) as log_dice,
        round(
            log2(
                cells.near_with * (cells.near_with + cells.near_without + cells.far_with + cells.far_without)
                / ((cells.near_with + cells.near_without) * (cells.near_with + cells.far_with))
            ),
            3
        ) as mutual_information,
    from cells
    order by log_likelihood desc, cells.collocate asc

)

select * from collocates
