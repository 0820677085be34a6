with

words as (

    select * from {{ ref('int_words__words') }}

),

-- one row per sentence with a published word
sentences as (

    select
        sentence_number,
        string_agg(form, ' ' order by token_index) as text,
        count(*)::integer as word_count,
    from words
    group by sentence_number

)

select * from sentences
