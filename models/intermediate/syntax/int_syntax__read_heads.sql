with

corpus_tokens as (

    select * from {{ ref('int_corpus__tokens') }}

),

-- one row per word: its id and head as numbers, where they are numbers
words as (

    select
        gid,
        sentence_number,
        case
            when regexp_full_match(trim(source_token), '[0-9]{1,9}')
                then trim(source_token)::integer
        end as id,
        case
            when regexp_full_match(trim(native_head), '[0-9]{1,9}')
                then trim(native_head)::integer
        end as head,
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
    where id > 0
    group by sentence_number, id

),

-- one row per word
heads as (

    select
        words.gid,
        words.sentence_number,
        case when targets.gid <> words.gid then targets.gid else 0 end as head_gid,
        case
            when words.head = 0 then null
            when targets.gid is null then 'missing_head'
            when targets.gid = words.gid then 'self_loop'
        end as repair,
    from words
    left join targets
        on
            words.sentence_number = targets.sentence_number
            and words.head = targets.id

)

select * from heads
