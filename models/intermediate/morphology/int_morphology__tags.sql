with

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

letters as (

    select * from {{ ref('int_morphology__tag_letters') }}

),

-- one row per reading
tags as (

    select
        reading,
        string_agg(value, '' order by position) as tag,
    from letters
    group by reading

),

-- one row per reading; a verb with a case and without person, tense, mood and voice is a verbal adjective
final as (

    select
        readings.reading,
        readings.project,
        readings.native_tag,
        readings.native_upos,
        readings.native_feats,
        case
            when regexp_matches(tags.tag, '^v-.---.[^-]') then left(tags.tag, 4) || 'g' || substr(tags.tag, 6)
            else tags.tag
        end as tag,
    from readings
    inner join tags
        on readings.reading = tags.reading

)

select * from final
