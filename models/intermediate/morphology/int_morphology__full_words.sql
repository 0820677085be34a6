with

words as (

    select * from {{ ref('int_morphology__words') }}

),

full_readings as (

    select * from {{ ref('int_morphology__full_readings') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

closed_lemmas as (

    select * from {{ ref('closed_lemmas') }}

),

-- one row per published token
published as (

    select
        words.gid,
        words.reading,
        closed_lemmas.lemma as closed_lemma,
        -- a lemma in -μαι is that of a verb without an active: its passive forms are none by meaning
        not coalesce(suffix(text_tokens.lemma, 'μαι'), false) as has_active,
        regexp_matches(coalesce(tokens.native_lemma, ''), '^\p{Lu}') as is_proper,
    from words
    inner join text_tokens
        on words.gid = text_tokens.gid
    inner join tokens
        on words.gid = tokens.gid
    left join closed_lemmas
        on
            text_tokens.lemma = closed_lemmas.lemma
            and coalesce(closed_lemmas.value = left(words.tag, 1), true)
    where text_tokens.is_published

),

-- one row per reading and closed lemma, or none, that occur together
occurring as (

    select distinct
        reading,
        closed_lemma,
    from published

),

-- the same, with the features of the reading and of the lemma
paired as (

    select
        occurring.reading,
        occurring.closed_lemma,
        full_readings.pairs,
        coalesce(closed_lemmas.feats, '') as lemma_feats,
    from occurring
    inner join full_readings
        on occurring.reading = full_readings.reading
    left join closed_lemmas
        on occurring.closed_lemma = closed_lemmas.lemma

),

-- the same, together: those of the lemma go before those of the source
features as (

    select
        reading,
        closed_lemma,
        list_concat(
            list_filter(pairs, lambda pair: not contains('|' || lemma_feats, '|' || split_part(pair, '=', 1) || '=')),
            list_filter(string_split(lemma_feats, '|'), lambda pair: pair <> '')
        ) as pairs,
    from paired

),

-- one row per reading and closed lemma, or none, that occur together
kinds as (

    select
        features.reading,
        features.closed_lemma,
        full_readings.value,
        full_readings.case_value,
        full_readings.number,
        full_readings.gender,
        full_readings.verb_form,
        full_readings.is_passive,
        full_readings.source_upos,
        closed_lemmas.lemma_class,
        {{ feature_value('closed_lemmas.feats', 'PronType') }} as pron_type,
        nullif(array_to_string(list_sort(features.pairs), '|'), '') as ud_feats,
    from features
    inner join full_readings
        on features.reading = full_readings.reading
    left join closed_lemmas
        on features.closed_lemma = closed_lemmas.lemma

),

-- one row per published token
full_words as (

    select
        published.gid,
        kinds.value,
        kinds.case_value,
        kinds.number,
        kinds.gender,
        kinds.verb_form,
        kinds.lemma_class,
        kinds.pron_type,
        kinds.is_passive and published.has_active as is_passive,
        published.is_proper,
        kinds.source_upos,
        kinds.ud_feats,
    from published
    inner join kinds
        on
            published.reading = kinds.reading
            and published.closed_lemma is not distinct from kinds.closed_lemma

)

select * from full_words
