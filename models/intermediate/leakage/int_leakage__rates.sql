{{ config(materialized='view') }}

with

words as (

    select * from {{ ref('int_leakage__words') }}

),

sentences as (

    select * from {{ ref('int_leakage__sentences') }}

),

ud_upos as (

    select * from {{ ref('ud_upos') }}

),

relation_reduction as (

    select * from {{ ref('relation_reduction') }}

),

-- one row per layer, word and thing that the markup says of it
said as (

    {% for group in ('upos', 'deprel', 'direction', 'distance', 'depth') %}
        select
            layer,
            sentence_number,
            '{{ group }}' as feature_group,
            {{ group }} as feature,
        from words
        where {{ group }} is not null
        union all
    {% endfor %}
    select
        layer,
        sentence_number,
        'feats' as feature_group,
        unnest(string_split(feats, '|')) as feature,
    from words
    where feats is not null
    union all
    -- classes of function words that head something
    select
        words.layer,
        words.sentence_number,
        'heading' as feature_group,
        words.upos as feature,
    from words
    inner join ud_upos on words.upos = ud_upos.upos and not ud_upos.is_content
    where words.is_head
    union all
    -- relations of function words that head something
    select
        words.layer,
        words.sentence_number,
        'heading' as feature_group,
        words.deprel as feature,
    from words
    inner join relation_reduction
        on split_part(words.deprel, ':', 1) = relation_reduction.relation and relation_reduction.deprel = 'case'
    where words.is_head

),

-- one row per layer, sentence and feature that occurs in it
counted as (

    select
        layer,
        sentence_number,
        feature_group,
        feature,
        count(*)::integer as occurrences,
    from said
    group by layer, sentence_number, feature_group, feature

),

-- one row per layer, sentence and feature, with its rate
rates as (

    select
        counted.sentence_number,
        sentences.id,
        counted.layer,
        counted.feature_group,
        counted.feature,
        counted.occurrences,
        sentences.words,
        counted.occurrences / sentences.words as rate,
    from counted
    inner join sentences on counted.sentence_number = sentences.sentence_number

)

select * from rates
