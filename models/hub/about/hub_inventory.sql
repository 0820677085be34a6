{%- set layers = {'human': '', 'machine': 'machine_'} -%}

with

tokens as (

    select * from {{ ref('hub_tokens') }}

),

-- one row per layer, class, relation and features of it
readings as (

    {% for layer, prefix in layers.items() %}
        select
            '{{ layer }}' as layer,
            {{ prefix }}upos as word_class,
            {{ prefix }}deprel as relation,
            {{ prefix }}feats as features,
            count(*) as words,
        from tokens
        where {{ prefix }}upos is not null
        group by {{ prefix }}upos, {{ prefix }}deprel, {{ prefix }}feats
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per layer, features and one of them
pairs as (

    select
        layer,
        unnest(string_split(features, '|')) as pair,
        words,
    from readings
    where features is not null

),

-- one row per layer, kind of label and label
labels as (

    select
        layer,
        'upos' as kind,
        word_class as label,
        sum(words)::bigint as words,
        []::varchar[] as feature_values,
    from readings
    group by layer, word_class
    union all
    select
        layer,
        'deprel' as kind,
        relation as label,
        sum(words)::bigint as words,
        []::varchar[] as feature_values,
    from readings
    group by layer, relation
    union all
    select
        layer,
        'feature' as kind,
        split_part(pair, '=', 1) as label,
        sum(words)::bigint as words,
        list_sort(list(distinct split_part(pair, '=', 2))) as feature_values,
    from pairs
    group by layer, split_part(pair, '=', 1)

),

-- the same, with the place in a table of the kind: classes and relations by frequency, features by name
places as (

    select
        layer,
        kind,
        row_number() over (
            partition by layer, kind
            order by if(kind = 'feature', 0, words) desc, label asc
        ) as place,
        label,
        words,
        feature_values,
    from labels

)

select * from places
order by layer, kind, place
