with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

labels as (

    select * from {{ ref('int_syntax__labels') }}

),

label_bases as (

    select * from {{ ref('label_bases') }}

),

-- one row per sentence whose ids are not simply the places of its rows: few, so that the rest looks at no others
suspects as (

    select sentence_number
    from tokens
    group by sentence_number
    having not coalesce(bool_and(source_token = source_index::varchar), false)

),

-- one row per word of theirs: its place among the words, its id where that is a whole number, and whether it is a mark
-- that heads no coordination and no apposition
words as (

    select
        tokens.gid,
        tokens.sentence_number,
        row_number() over (partition by tokens.sentence_number order by tokens.source_index) as place,
        {{ whole_number('tokens.source_token') }} as id,
        {{ whole_number('tokens.native_head') }} as head,
        not tokens.is_elliptic
        and not regexp_matches(tokens.native_form, '[\p{L}\p{N}]')
        and coalesce(not label_bases.heads_members, true) as is_mark,
    from tokens
    inner join suspects
        on tokens.sentence_number = suspects.sentence_number
    left join labels
        on coalesce(tokens.native_relation, '') = labels.native_relation
    left join label_bases
        on labels.base = label_bases.base
    where tokens.row_kind = 'word'

),

-- one row per word of a sentence whose ids are not 1..n in the order of the file
gapped as (

    select *
    from words
    qualify not coalesce(bool_and(id = place::varchar) over (partition by sentence_number), false)

)

select * from gapped
