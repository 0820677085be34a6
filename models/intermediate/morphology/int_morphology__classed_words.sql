with

words as (

    select * from {{ ref('int_morphology__words') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

published_classes as (

    select * from {{ ref('int_morphology__published_classes') }}

),

class_features as (

    select * from {{ ref('int_morphology__class_features') }}

),

-- one row per published token, with the class that is published for it
classified as (

    select
        words.gid,
        words.tag,
        words.feats,
        words.upos as native_upos,
        coalesce(published_classes.upos, words.upos) as upos,
    from words
    inner join text_tokens
        on words.gid = text_tokens.gid
    left join published_classes
        on
            {{ without_grave('text_tokens.form') }} = published_classes.spelled_form
            and text_tokens.published_lemma = published_classes.published_lemma
            and words.upos = published_classes.native_upos
    where text_tokens.is_published

),

-- one row per class and features that meet because the class was changed, with the features that the class may have
met as (

    select distinct
        classified.upos,
        classified.feats,
        class_features.features,
    from classified
    inner join class_features
        on classified.upos = class_features.upos
    where
        classified.upos <> classified.native_upos
        and classified.feats is not null

),

-- the same, without the features that the class cannot have
fitted as (

    select
        upos,
        feats,
        array_to_string(
            list_filter(
                string_split(feats, '|'),
                lambda pair: list_contains(features, split_part(pair, '=', 1))
            ),
            '|'
        ) as fitted_feats,
    from met

),

-- the same, with the features of the tag that its class can have
classed_words as (

    select
        classified.gid,
        classified.tag,
        classified.upos,
        if(
            classified.upos = classified.native_upos,
            classified.feats,
            nullif(fitted.fitted_feats, '')
        ) as feats,
    from classified
    left join fitted
        on
            classified.upos <> classified.native_upos
            and classified.upos = fitted.upos
            and classified.feats = fitted.feats

)

select * from classed_words
