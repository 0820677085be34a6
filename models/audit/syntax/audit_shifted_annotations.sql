with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

words as (

    select * from {{ ref('int_morphology__words') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

tag_to_upos as (

    select * from {{ ref('tag_to_upos') }}

),

function_lemmas as (

    select * from {{ ref('function_lemmas') }}

),

-- one row per lemma of the article
articles as (

    select lemma
    from function_lemmas
    where kind = 'article'

),

-- one row per written token and contradiction between its form, tag and lemma
findings as (

    select
        tokens.sentence_number,
        tokens.source_index,
        tokens.source_token,
        tokens.native_form,
        tokens.native_lemma,
        coalesce(nullif(tokens.native_tag, ''), tokens.native_upos) as native_tag,
        case
            when text_tokens.is_published and tag_to_upos.is_punctuation
                then 'word tagged as punctuation'
            when
                text_tokens.is_editorial
                and not tag_to_upos.is_mark
                and not regexp_matches(tokens.native_form, '[\p{L}\p{N}]')
                then 'mark tagged as a word'
            when
                text_tokens.is_published
                and tag_to_upos.is_article
                and text_tokens.lemma not in (select articles.lemma from articles)
                then 'article with another lemma'
        end as finding,
    from tokens
    inner join text_tokens
        on tokens.gid = text_tokens.gid
    inner join words
        on tokens.gid = words.gid
    inner join tag_to_upos
        on left(words.tag, 1) = tag_to_upos.value
    where not tokens.is_elliptic

),

-- one row per finding, with the number of findings of its sentence
shifted_annotations as (

    select
        sentences.sentence_id,
        sentences.project,
        findings.source_index,
        findings.source_token,
        findings.finding,
        findings.native_form,
        findings.native_lemma,
        findings.native_tag,
        count(*) over (partition by findings.sentence_number) as findings_in_sentence,
    from findings
    inner join sentences
        on findings.sentence_number = sentences.sentence_number
    where findings.finding is not null

)

select * from shifted_annotations
