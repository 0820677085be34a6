with

inventory as (

    select * from {{ ref('hub_inventory') }}

),

-- one row per feature of a layer and value of it, where Masc,Neut is two
feature_values as (

    select
        layer,
        label,
        unnest(feature_values) as feature_value,
    from inventory
    where kind = 'feature'

),

-- one row per layer, kind and label: relations without their subtypes, features with their single values
labels as (

    select
        layer,
        'classes' as kind,
        label,
    from inventory
    where kind = 'upos'
    union all
    select distinct
        layer,
        'relations' as kind,
        split_part(label, ':', 1) as label,
    from inventory
    where kind = 'deprel'
    union all
    select distinct
        layer,
        'features' as kind,
        label || '=' || unnest(string_split(feature_value, ',')) as label,
    from feature_values

),

-- one row per kind and label
compared as (

    select
        kind,
        label,
        bool_or(layer = 'human') as is_human,
        bool_or(layer = 'machine') as is_machine,
    from labels
    group by kind, label

),

-- one row per kind: how many labels Universal Dependencies has
universal as (

    select
        'classes' as kind,
        count(*) as labels,
    from {{ ref('ud_upos') }}
    union all
    select
        'relations' as kind,
        count(*) as labels,
    from {{ ref('ud_relations') }}
    union all
    select
        'features' as kind,
        count(*) as labels,
    from {{ ref('ud_features') }}

),

-- one row: labels of the machine layer, and the relations among them that have a subtype
machine as (

    select
        count(*) as labels,
        count(*) filter (where kind = 'deprel' and contains(label, ':')) as subtypes,
    from inventory
    where layer = 'machine'

),

-- one row per kind of label, none without a machine layer
inventories as (

    select
        universal.kind,
        count(*) filter (where compared.is_machine) as machine_labels,
        count(*) filter (where compared.is_human) as human_labels,
        any_value(universal.labels) as universal_labels,
        any_value(if(universal.kind = 'relations', machine.subtypes, 0)) as machine_subtypes,
        coalesce(
            list_sort(list(compared.label) filter (where not compared.is_human)), []
        ) as only_machine,
    from universal
    cross join machine
    left join compared
        on universal.kind = compared.kind
    where machine.labels > 0
    group by universal.kind

)

select * from inventories
order by kind
