with

texts as (

    select * from {{ ref('int_text__tokens') }}
    where is_published

),

parts as (

    select * from {{ ref('int_words__parts') }}

),

-- one row per joined word, with the first of its parts
first_parts as (

    select
        word_gid,
        min(gid) as first_gid,
    from parts
    group by word_gid

),

-- one row per published token, with the word that it is or went into
tokens as (

    select
        texts.gid,
        texts.sentence_number,
        coalesce(parts.word_gid, texts.gid) as word_gid,
        texts.token_index as part_index,
        (
            texts.token_index - count(parts.gid) filter (where parts.gid > first_parts.first_gid) over (
                partition by texts.sentence_number
                order by texts.token_index
                rows between unbounded preceding and current row
            )
        )::integer as token_index,
    from texts
    left join parts
        on texts.gid = parts.gid
    left join first_parts
        on parts.word_gid = first_parts.word_gid

)

select * from tokens
