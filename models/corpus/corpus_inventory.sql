with

nodes as (

    select * from {{ ref('corpus_nodes') }}
    where scope <= 2

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

-- one row per layer, project and combination of class, features and label
counted as materialized (

    select
        nodes.layer,
        sentences.project,
        nodes.upos,
        nodes.feats,
        nodes.label,
        count(*) as node_count,
    from nodes
    inner join sentences
        on nodes.sentence_number = sentences.sentence_number
    group by nodes.layer, sentences.project, nodes.upos, nodes.feats, nodes.label

),

-- one row per feature of such a combination
pairs as (

    select
        layer,
        project,
        unnest(string_split(feats, '|')) as pair,
        node_count,
    from counted

),

-- one row per combination and class, label or feature in it
features as (

    select
        layer,
        project,
        'upos' as feature,
        upos as value,
        node_count,
    from counted
    union all
    select
        layer,
        project,
        'label' as feature,
        label as value,
        node_count,
    from counted
    union all
    select
        layer,
        project,
        split_part(pair, '=', 1) as feature,
        substr(pair, strpos(pair, '=') + 1) as value,
        node_count,
    from pairs

),

-- one row per layer, project, feature and value, in the sentences that are no duplicate
inventory as (

    select
        layer,
        project,
        feature,
        value,
        sum(node_count)::integer as node_count,
    from features
    where value is not null
    group by layer, project, feature, value

)

select * from inventory
order by layer, feature, value, project
