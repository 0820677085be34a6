with

corpus_tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

empty_heads as (

    select * from {{ ref('int_syntax__empty_heads') }}

),

-- one row per word: its id and head as written, without the blanks around them; null where there is none
words as materialized (

    select
        gid,
        sentence_number,
        nullif(trim(source_token), '') as id,
        nullif(trim(native_head), '') as head,
    from corpus_tokens
    where row_kind = 'word'

),

-- one row per sentence and id: of a repeated id the first token is meant
targets as (

    select
        sentence_number,
        id,
        min(gid) as gid,
    from words
    where id is not null
    group by sentence_number, id

),

-- one row per word: the token whose id is written like its head; the head 0 means the root, whatever has the id 0
written as materialized (

    select
        words.gid,
        words.sentence_number,
        words.head,
        targets.gid as head_gid,
    from words
    left join targets
        on
            words.sentence_number = targets.sentence_number
            and words.head = targets.id
            and words.head <> '0'

),

-- one row per word whose head is written like no id: the head as a whole number
others as materialized (

    select
        gid,
        sentence_number,
        {{ whole_number('head') }} as head_number,
    from written
    where
        head_gid is null
        and head is not null
        and head <> '0'

),

-- one row per sentence of theirs and id that is a whole number, however it is written
numbered_targets as (

    select
        sentence_number,
        {{ whole_number('id') }} as number,
        min(gid) as gid,
    from targets
    where sentence_number in (select others.sentence_number from others)
    group by sentence_number, {{ whole_number('id') }}

),

-- one row per such word: the token whose id is the same number
numbered as (

    select
        others.gid,
        others.head_number,
        numbered_targets.gid as head_gid,
    from others
    left join numbered_targets
        on
            others.sentence_number = numbered_targets.sentence_number
            and others.head_number = numbered_targets.number
            and others.head_number <> '0'

),

-- one row per word
heads as (

    select
        written.gid,
        written.sentence_number,
        coalesce(nullif(coalesce(written.head_gid, numbered.head_gid), written.gid), 0) as head_gid,
        case
            when written.head = '0' or numbered.head_number = '0' then null
            when coalesce(written.head_gid, numbered.head_gid) is null then 'missing_head'
            when coalesce(written.head_gid, numbered.head_gid) = written.gid then 'self_loop'
        end as repair,
    from written
    left join numbered
        on written.gid = numbered.gid

),

-- one row per word: one that hangs on an empty node gets the word above that
read_heads as (

    select
        heads.gid,
        heads.sentence_number,
        coalesce(empty_heads.head_gid, heads.head_gid) as head_gid,
        coalesce(empty_heads.repair, heads.repair) as repair,
    from heads
    left join empty_heads
        on heads.gid = empty_heads.gid

)

select * from read_heads
