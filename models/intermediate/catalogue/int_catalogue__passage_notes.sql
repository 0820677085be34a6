with

disputed_sentences as (

    select * from {{ ref('int_catalogue__disputed_sentences') }}

),

-- one row per sentence in a passage of disputed authenticity
passage_notes as (

    select
        sentence_number,
        string_agg(distinct note, '; ' order by note) as passage_note,
    from disputed_sentences
    group by sentence_number

)

select * from passage_notes
