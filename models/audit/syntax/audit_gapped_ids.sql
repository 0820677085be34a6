with

gapped as (

    select * from {{ ref('int_syntax__gapped_words') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

read_heads as (

    select * from {{ ref('int_syntax__read_heads') }}

),

-- one row per such word and way of reading its head: as an id, and as a place (with keys below 0)
readings as materialized (

    select
        gapped.sentence_number,
        gapped.gid,
        gapped.gid as key,
        nullif(read_heads.head_gid, 0) as head_key,
        read_heads.repair as fault,
    from gapped
    inner join read_heads
        on gapped.gid = read_heads.gid

    union all

    select
        gapped.sentence_number,
        gapped.gid,
        -gapped.gid as key,
        nullif(-heads.gid, -gapped.gid) as head_key,
        case
            when gapped.head = '0' then null
            when heads.gid is null then 'missing_head'
            when heads.gid = gapped.gid then 'self_loop'
        end as fault,
    from gapped
    left join gapped as heads
        on
            gapped.sentence_number = heads.sentence_number
            and gapped.head = heads.place::varchar

),

pointers as materialized (

    select
        key as gid,
        head_key as target_gid,
        key as first_gid,
    from readings
    where head_key is not null

),

{{ pointer_doublings('pointers', smallest='first_gid') }},

-- one row per cycle of either reading
cycles as (

    select distinct first_gid as key
    from pointers_last
    where gid in (select upper_ends.target_gid from pointers_last as upper_ends)

),

-- one row per such word and way of reading its head, with its faults
judged as (

    select
        readings.sentence_number,
        readings.key > 0 as is_by_id,
        coalesce(readings.fault = 'missing_head', false) as is_missing,
        coalesce(readings.fault = 'self_loop', false) or cycles.key is not null as is_circular,
        coalesce(heads.is_mark, false) as is_on_mark,
    from readings
    left join cycles
        on readings.key = cycles.key
    left join gapped as heads
        on abs(readings.head_key) = heads.gid

),

-- one row per such sentence: the faults of both readings
counted as (

    select
        sentence_number,
        count(*) filter (where is_by_id) as words,
        {% for fault, column in [('missing', 'is_missing'), ('circular', 'is_circular'), ('on_marks', 'is_on_mark')] -%}
            count(*) filter (where {{ column }} and is_by_id) as {{ fault }}_by_id,
            count(*) filter (where {{ column }} and not is_by_id) as {{ fault }}_by_place,
        {% endfor %}
    from judged
    group by sentence_number

),

-- one row per such sentence whose tree has fewer faults when heads are read as places
gapped_ids as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        counted.words,
        {% for fault in ['missing', 'circular', 'on_marks'] -%}
            counted.{{ fault }}_by_id,
            counted.{{ fault }}_by_place,
        {% endfor %}
    from counted
    inner join sentences
        on counted.sentence_number = sentences.sentence_number
    where
        counted.missing_by_place + counted.circular_by_place + counted.on_marks_by_place
        < counted.missing_by_id + counted.circular_by_id + counted.on_marks_by_id

)

select * from gapped_ids
