with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

known as (

    select * from {{ ref('int_morphology__known_features') }}

),

-- one row per reading with features
written as (

    select
        reading,
        string_split(native_feats, '|') as texts,
    from readings
    where native_feats <> ''

),

-- one row per part between bars, in the order of the text, without blanks
parts as (

    select
        reading,
        unnest(generate_series(1, array_length(texts))) as place,
        {{ without_outer_blanks('unnest(texts)') }} as text,
    from written

),

-- one row per part: name and values, each value once and sorted
named as (

    select
        *,
        regexp_full_match(text, '[^=,]+=[^=,]+(,[^=,]+)*') as is_pair,
        split_part(text, '=', 1) as feature,
        list_sort(list_distinct(string_split(split_part(text, '=', 2), ','))) as feature_values,
    from parts

),

-- one row per part, with its pairs of name and value, and the name of the part before it
paired as (

    select
        reading,
        place,
        text,
        is_pair,
        feature,
        array_to_string(feature_values, ',') as feature_value,
        list_transform(feature_values, lambda part: feature || '=' || part) as pairs,
        lag(lower(feature)) over (partition by reading order by place) as feature_before,
    from named

),

-- one row per part, with what keeps it from being read as a feature
judged as (

    select
        paired.reading,
        paired.place,
        paired.text,
        paired.feature,
        paired.feature_value,
        case
            when not paired.is_pair then 'malformed'
            when not list_contains(known.features, paired.feature) then 'unknown_feature'
            when not list_has_all(known.pairs, paired.pairs) then 'unknown_value'
        end as fault,
        (
            lower(paired.feature) < paired.feature_before
            or paired.feature_value <> split_part(paired.text, '=', 2)
        ) as is_unsorted,
    from paired
    cross join known

),

-- one row per part; of a feature written twice the first that can be read counts
feature_parts as (

    select
        * exclude (fault, is_unsorted),
        case
            when fault is not null then fault
            when row_number() over (partition by reading, feature, fault is null order by place) > 1
                then 'repeated_feature'
            when coalesce(is_unsorted, false) then 'unsorted'
        end as fault,
    from judged

)

select * from feature_parts
