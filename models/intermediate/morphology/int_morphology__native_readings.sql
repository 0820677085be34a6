with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

projects as (

    select * from {{ ref('projects') }}

),

-- one row per reading: a tag, class and features as written in one project
readings as (

    select distinct
        tokens.project,
        projects.tag_source,
        coalesce(tokens.native_tag, '') as native_tag,
        coalesce(tokens.native_upos, '') as native_upos,
        coalesce(tokens.native_feats, '') as native_feats,
    from tokens
    inner join projects
        on tokens.project = projects.project

),

-- one row per reading, numbered; the class without blanks and in capitals
native_readings as (

    select
        row_number() over (order by project, native_tag, native_upos, native_feats) as reading,
        *,
        upper({{ without_outer_blanks('native_upos') }}) as upos,
    from readings

)

select * from native_readings
