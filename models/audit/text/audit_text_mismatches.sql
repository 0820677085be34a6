with

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

tokens as (

    select * from {{ ref('stg_conllu__tokens') }}

),

-- one row per multiword range: the words that it stands for
ranges as (

    select
        project,
        path,
        sentence_position,
        try_cast(split_part(source_token, '-', 1) as bigint) as first_word,
        try_cast(split_part(source_token, '-', 2) as bigint) as last_word,
    from tokens
    where row_kind = 'range'

),

-- one row per form that is written: words outside of ranges, and ranges
surface as (

    select tokens.*
    from tokens
    anti join ranges
        on
            tokens.row_kind = 'word'
            and tokens.project = ranges.project
            and tokens.path = ranges.path
            and tokens.sentence_position = ranges.sentence_position
            and try_cast(tokens.source_token as bigint) between ranges.first_word and ranges.last_word
    where tokens.row_kind <> 'empty'

),

-- one row per sentence: its forms, with a blank behind each that is not marked as followed by none
written as (

    select
        project,
        path,
        sentence_position,
        string_agg(
            native_form || if(has_no_blank, '', ' '), ''
            order by source_index
        ) as forms,
    from surface
    group by project, path, sentence_position

),

-- one row per sentence that has a text: both in NFC, white space folded
compared as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        trim(regexp_replace(nfc_normalize(sentences.source_text), '[\s\p{Z}]+', ' ', 'g')) as source_text,
        trim(regexp_replace(nfc_normalize(written.forms), '[\s\p{Z}]+', ' ', 'g')) as forms,
    from sentences
    inner join written
        on
            sentences.project = written.project
            and sentences.path = written.path
            and sentences.position = written.sentence_position
    where sentences.source_text is not null

),

-- one row per sentence whose text is not made of its forms, with the first character that differs
differing as (

    select
        *,
        list_position(
            list_transform(
                range(1, greatest(length(source_text), length(forms)) + 1),
                lambda place: substr(source_text, place, 1) <> substr(forms, place, 1)
            ),
            true
        )::integer as place,
    from compared
    where source_text <> forms

),

-- one row per such sentence, with the words that follow from there
text_mismatches as (

    select
        sentence_id,
        project,
        path,
        position,
        place,
        substr(source_text, place, 20) as text_there,
        substr(forms, place, 20) as forms_there,
        source_text,
        forms,
    from differing

)

select * from text_mismatches
