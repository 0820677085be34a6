with

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per file with published tokens: its words, and its repairs by kind; a removed node is no damage
files as (

    select
        sentences.project,
        sentences.path,
        count(*) as words,
        count(*) filter (where trees.head_repair = 'missing_head') as missing_head,
        count(*) filter (where trees.head_repair = 'self_loop') as self_loop,
        count(*) filter (where trees.head_repair = 'cycle') as cycle,
        count(*) filter (where trees.head_repair = 'extra_root') as extra_root,
    from trees
    inner join sentences
        on trees.sentence_number = sentences.sentence_number
    group by sentences.project, sentences.path

),

-- one row per file and kind of repair
kinds as (

    select * from files
    unpivot (
        repaired for repair in (missing_head, self_loop, cycle, extra_root)
    )

),

-- one row per file and kind of repair, with its rate and that of all other files of the project
rated as (

    select
        project,
        path,
        repair,
        words,
        repaired,
        repaired / words as rate,
        coalesce(
            (sum(repaired) over (partition by project, repair) - repaired)
            / nullif(sum(words) over (partition by project, repair) - words, 0),
            0
        ) as project_rate,
    from kinds

),

-- one row per file and kind of repair far above the rate of its project
repaired_files as (

    select
        project,
        path,
        repair,
        words,
        repaired,
        rate,
        project_rate,
    from rated
    where
        rate >= {{ var('repaired_file_min_rate') }}
        and rate >= {{ var('repaired_file_factor') }} * project_rate

)

select * from repaired_files
