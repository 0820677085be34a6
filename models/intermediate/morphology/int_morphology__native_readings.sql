with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

tag_sources as (

    select * from {{ ref('tag_sources') }}

),

-- one row per reading: a tag, class and features as written in one project
readings as (

    select distinct
        tokens.project,
        tag_sources.tag_source,
        coalesce(tokens.native_tag, '') as native_tag,
        coalesce(tokens.native_upos, '') as native_upos,
        coalesce(tokens.native_feats, '') as native_feats,
    from tokens
    inner join tag_sources
        on tokens.project = tag_sources.project

),

-- one row per reading, numbered; the class without blanks and in capitals
final as (

    select
        row_number() over (order by project, native_tag, native_upos, native_feats) as reading,
        *,
        upper({{ without_outer_blanks('native_upos') }}) as upos,
    from readings

)

select * from final
