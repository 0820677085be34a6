with

per_million as (

    select * from {{ ref('int_leakage__category_rates') }}

),

relation_reduction as (

    select * from {{ ref('relation_reduction') }}

),

exceptions as (

    select * from {{ ref('int_leakage__exceptions') }}

),

-- one row per category and two sides: two projects of one author, two authors of one project, two annotations
pairs as (

    select
        one.feature_group,
        one.feature,
        case
            when one.kind = 'doubly annotated' then 'annotation'
            when one.side = other.side then 'project'
            else 'author'
        end as difference,
        abs(one.rate - other.rate) as size,
    from per_million as one
    inner join per_million as other
        on
            one.kind = other.kind
            and one.feature_group = other.feature_group
            and one.feature = other.feature
            and (
                (one.side = other.side and one.project < other.project)
                or (one.kind = 'published' and one.project = other.project and one.side < other.side)
            )

),

-- one row per category, with means in occurrences per thousand words
spreads as (

    select
        feature_group,
        feature,
        sum(size) filter (where difference = 'project')
        / count(*) filter (where difference = 'project') / 1e3 as project_spread,
        sum(size) filter (where difference = 'author')
        / count(*) filter (where difference = 'author') / 1e3 as author_spread,
        sum(size) filter (where difference = 'annotation')
        / count(*) filter (where difference = 'annotation') / 1e3 as annotation_difference,
    from pairs
    group by feature_group, feature

),

-- one row per category, with what became of it
variation as (

    select
        spreads.feature_group,
        spreads.feature,
        spreads.project_spread,
        spreads.author_spread,
        spreads.annotation_difference,
        spreads.project_spread / nullif(spreads.author_spread, 0) as ratio,
        case
            when spreads.feature_group = 'relation' then 'merged'
            when exceptions.reason is not null then 'exempt'
            else 'published'
        end as verdict,
        if(spreads.feature_group = 'relation', relation_reduction.deprel, null) as merged_into,
        if(spreads.feature_group = 'relation', relation_reduction.reason, exceptions.reason) as reason,
    from spreads
    left join relation_reduction on spreads.feature = relation_reduction.relation
    left join exceptions on spreads.feature_group = exceptions.layer and spreads.feature = exceptions.value

)

select * from variation
order by feature_group, feature
