with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

forms as (

    select * from {{ ref('int_text__forms') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

published_sentences as (

    select * from {{ ref('corpus_sentence_fates') }}
    where fate = 'published'

),

-- one row per form as read, with what it tells of words that are lost; blanks and brackets do not matter
signs as (

    select
        native_form,
        has_greek,
        case
            when has_greek and regexp_matches(native_form, '\.\.|[\x{2025}\x{2026}]') then 'cut_word'
            when has_greek then null
            when is_empty then 'no_form'
            when regexp_full_match(native_form, '[G?\d\pZ]*G([G?\d\pZ]|_L)*') then 'gap_sign'
            when regexp_matches(native_form, '\p{L}') and not regexp_full_match(native_form, '\P{L}*\p{Lm}+\P{L}*')
                then 'other_script'
            when regexp_matches(native_form, '\p{N}') then 'number'
            when
                regexp_matches(
                    regexp_replace(native_form, '[\pZ\[\]()<>]', '', 'g'),
                    '\.\.|[\x{2025}\x{2026}]|[-\x{2013}\x{2014}]{3}'
                )
                then 'lacuna'
            when regexp_matches(native_form, '[\x{00AF}\x{02D8}\x{0304}\x{0306}\x{23D1}-\x{23D9}]') then 'metre'
            when regexp_full_match(native_form, '[\[(<][\pZ]*[\])>]') then 'empty_brackets'
        end as kind,
    from forms

),

-- one row per token of a published sentence that is no word of its text, or one cut short
gaps as (

    select
        tokens.sentence_number,
        sentences.sentence_id,
        sentences.project,
        tokens.source_index,
        tokens.source_token,
        tokens.native_form,
        tokens.native_lemma,
        coalesce(signs.kind, 'annotated_sign') as kind,
    from tokens
    inner join text_tokens
        on tokens.gid = text_tokens.gid
    inner join signs
        on tokens.native_form = signs.native_form
    inner join sentences
        on tokens.sentence_number = sentences.sentence_number
    inner join published_sentences
        on sentences.sentence_id = published_sentences.sentence_id
    where
        tokens.row_kind = 'word'
        and not tokens.is_elliptic
        and (
            signs.kind is not null
            or (
                not signs.has_greek
                and text_tokens.lemma is not null
                and regexp_matches(coalesce(tokens.native_tag, ''), '^[a-tv-z]')
            )
        )

),

-- the same, with the number of published words up to the place
closed_gaps as (

    select
        gaps.sentence_id,
        gaps.project,
        gaps.source_index,
        gaps.source_token,
        gaps.native_form,
        gaps.native_lemma,
        gaps.kind,
        count(text_tokens.token_index)::integer as words_before,
    from gaps
    left join text_tokens
        on
            gaps.sentence_number = text_tokens.sentence_number
            and gaps.source_index >= text_tokens.source_index
    group by
        gaps.sentence_id,
        gaps.project,
        gaps.source_index,
        gaps.source_token,
        gaps.native_form,
        gaps.native_lemma,
        gaps.kind

)

select * from closed_gaps
