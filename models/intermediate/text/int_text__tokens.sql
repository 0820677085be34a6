with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

forms as (

    select * from {{ ref('int_text__forms') }}

),

lemmas as (

    select * from {{ ref('int_text__lemmas') }}

),

published_lemmas as (

    select * from {{ ref('int_text__published_lemmas') }}

),

-- one row per token row, with the published form of its vocabulary entry
joined as (

    select
        tokens.gid,
        tokens.sentence_number,
        tokens.source_index,
        forms.form,
        forms.folded,
        lemmas.lemma,
        published_lemmas.published_lemma,
        not forms.has_greek as is_editorial,
        tokens.is_elliptic,
        tokens.row_kind = 'word' and forms.has_greek and not tokens.is_elliptic as is_published,
        case
            when forms.corruption is not null then forms.corruption
            -- annotated as a word of the text, which has lost its form
            when
                forms.is_empty
                and lemmas.lemma is not null
                and coalesce(tokens.native_tag, tokens.native_upos, '') <> ''
                and not starts_with(coalesce(tokens.native_tag, ''), 'u')
                and coalesce(tokens.native_upos, '') <> 'PUNCT'
                and coalesce(tokens.native_head, '') <> ''
                then 'empty_form'
        end as corruption,
        tokens.row_kind = 'word' and not tokens.is_elliptic as is_word,
        forms.is_mixed_script,
    from tokens
    inner join forms
        on tokens.native_form = forms.native_form
    left join lemmas
        on tokens.native_lemma = lemmas.native_lemma
    left join published_lemmas
        on
            forms.form = published_lemmas.form
            and lemmas.lemma = published_lemmas.lemma

),

-- one row per token row, the published ones numbered 1..n in their order
text_tokens as (

    select
        gid,
        sentence_number,
        source_index,
        form,
        folded,
        lemma,
        published_lemma,
        is_editorial,
        is_elliptic,
        is_published,
        case
            when is_published
                then sum(is_published::integer) over (
                        partition by sentence_number
                        order by source_index
                        rows between unbounded preceding and current row
                    )::integer
        end as token_index,
        corruption,
        -- remains of beta code and an empty form have no Greek letter, and still are a word of the text
        corruption is not null and is_word as is_corrupt,
        is_mixed_script,
    from joined

)

select * from text_tokens
