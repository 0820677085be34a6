with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

letters as (

    select * from {{ ref('int_morphology__tag_letters') }}

),

tag_completions as (

    select * from {{ ref('tag_completions') }}

),

-- one row per reading
tags as (

    select
        reading,
        string_agg(value, '' order by position) as tag,
    from letters
    group by reading

),

-- one row per reading; a letter that the rest of the tag implies is filled in
morphology_tags as (

    select
        readings.reading,
        readings.project,
        readings.native_tag,
        readings.native_upos,
        readings.native_feats,
        if(
            tag_completions.pattern is null,
            tags.tag,
            left(tags.tag, tag_completions.position - 1)
            || tag_completions.value
            || substr(tags.tag, tag_completions.position + 1)
        ) as tag,
    from readings
    inner join tags
        on readings.reading = tags.reading
    left join tag_completions
        on regexp_full_match(tags.tag, tag_completions.pattern)

)

select * from morphology_tags
