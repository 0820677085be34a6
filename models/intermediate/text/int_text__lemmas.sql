with

tokens as (

    select * from {{ ref('int_corpus__tokens') }}

),

-- one row per distinct lemma as read
vocabulary as (

    select distinct
        native_lemma,
        {{ repaired_lemma('native_lemma') }} as repaired,
    from tokens
    where native_lemma is not null

),

repaired_vocabulary as (

    select distinct repaired
    from vocabulary

),

-- one row per distinct repaired lemma with its published form
published as (

    {{ published_forms('repaired_vocabulary', 'repaired') | indent(4) }}

),

-- one row per distinct lemma as read; null where nothing trustworthy is left, with the reason
final as (

    select
        vocabulary.native_lemma,
        case
            when trim(vocabulary.native_lemma) = '' then 'empty'
            when published.form = '' then 'placeholder'
            when published.corruption is not null then published.corruption
            -- a mark that could not be composed with any letter: nobody knows where it belongs
            when regexp_matches(published.form, '\p{M}') then 'damaged_marks'
        end as null_reason,
        case when null_reason is null then published.form end as lemma,
    from vocabulary
    inner join published
        on vocabulary.repaired = published.native

)

select * from final
