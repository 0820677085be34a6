with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

-- one row per sentence whose passage is not published as the source has it
mended as (

    select
        sentence_id,
        project,
        path,
        position,
        source_passage,
        passage,
        case
            when passage is null then 'a number of a spreadsheet that is near no short one'
            when regexp_matches(passage, '[.,][0-9](-|$)')
                then 'nearest short number; a zero at its end would be lost (1.10 is 1.1)'
            else 'nearest short number'
        end as finding,
    from sentences
    where source_passage is distinct from passage

)

select * from mended
