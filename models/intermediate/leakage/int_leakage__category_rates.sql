with

rates as (

    select * from {{ ref('int_leakage__rates') }}
    where layer = 'human'

),

words as (

    select * from {{ ref('int_leakage__words') }}
    where layer = 'human'

),

sentences as (

    select * from {{ ref('int_leakage__sentences') }}

),

doubly_annotated as (

    select * from {{ ref('int_syntax__doubly_annotated') }}

),

relation_reduction as (

    select * from {{ ref('relation_reduction') }}

),

-- one row per sentence and category: what is published, and relations that are merged into one of these
counted as (

    select
        sentence_number,
        feature_group,
        feature,
        occurrences,
    from rates
    union all
    select
        words.sentence_number,
        'relation' as feature_group,
        relation_reduction.relation as feature,
        count(*) as occurrences,
    from words
    inner join relation_reduction on split_part(words.relation, ':', 1) = relation_reduction.relation
    where relation_reduction.relation <> relation_reduction.deprel
    group by words.sentence_number, relation_reduction.relation

),

-- one row per category
categories as (

    select distinct
        feature_group,
        feature,
    from counted

),

-- one row per side of a comparison: an author in a project, or one of two annotations of the same sentences
sides as (

    select
        'published' as kind,
        author as side,
        project,
        sum(words) as words,
    from sentences
    where is_published
    group by author, project
    having sum(words) >= {{ var('variation_min_words') }}
    union all
    {% for number in ('sentence_number', 'other_sentence_number') %}
        select
            'doubly annotated' as kind,
            doubly_annotated.project || ' ' || doubly_annotated.other_project as side,
            sentences.project,
            sum(sentences.words) as words,
        from doubly_annotated
        inner join sentences on doubly_annotated.{{ number }} = sentences.sentence_number
        group by all
        having sum(sentences.words) >= {{ var('variation_min_words') }}
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per side and category that occurs in it
occurring as (

    select
        'published' as kind,
        sentences.author as side,
        sentences.project,
        counted.feature_group,
        counted.feature,
        sum(counted.occurrences) as occurrences,
    from counted
    inner join sentences on counted.sentence_number = sentences.sentence_number
    where sentences.is_published
    group by all
    union all
    {% for number in ('sentence_number', 'other_sentence_number') %}
        select
            'doubly annotated' as kind,
            doubly_annotated.project || ' ' || doubly_annotated.other_project as side,
            sentences.project,
            counted.feature_group,
            counted.feature,
            sum(counted.occurrences) as occurrences,
        from doubly_annotated
        inner join sentences on doubly_annotated.{{ number }} = sentences.sentence_number
        inner join counted on sentences.sentence_number = counted.sentence_number
        group by all
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per side and category, in occurrences per million words: whole numbers have one sum in any order
per_million as (

    select
        sides.kind,
        sides.side,
        sides.project,
        categories.feature_group,
        categories.feature,
        round(1e6 * coalesce(occurring.occurrences, 0) / sides.words)::bigint as rate,
    from sides
    cross join categories
    left join occurring
        on
            (sides.kind, sides.side, sides.project, categories.feature_group, categories.feature)
            = (occurring.kind, occurring.side, occurring.project, occurring.feature_group, occurring.feature)

)

select * from per_million
order by kind, side, project, feature_group, feature
