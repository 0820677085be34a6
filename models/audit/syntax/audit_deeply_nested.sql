with

heights as (

    select * from {{ ref('int_syntax__heights') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per sentence with function nodes for which there is no pass
deeply_nested as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        count(*) as unconverted_nodes,
        min(tokens.source_index) as first_source_index,
    from heights
    inner join tokens
        on heights.gid = tokens.gid
    inner join sentences
        on tokens.sentence_number = sentences.sentence_number
    where heights.height > {{ var('max_function_height') }}
    group by sentences.sentence_id, sentences.project, sentences.path, sentences.position

)

select * from deeply_nested
