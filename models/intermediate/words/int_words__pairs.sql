with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

texts as (

    select * from {{ ref('int_text__tokens') }}
    where is_published

),

joined_words as (

    select * from {{ ref('joined_words') }}

),

-- one row per published token that is the first part of some word, with the token behind it, or the cut one before it
candidates as (

    select
        texts.gid as first_gid,
        followers.gid as second_gid,
        texts.form as first_form,
        followers.form as second_form,
        joined_words.second,
        joined_words.form as table_form,
        joined_words.lemma,
        joined_words.unsigned,
        ends_with(tokens.native_form, '-') or starts_with(second_tokens.native_form, '-') as is_signed,
        steps.step < 0 as is_turned,
    from texts
    inner join joined_words
        on texts.folded = joined_words.first
    cross join (values (1), (-1)) as steps (step)
    inner join texts as followers
        on
            texts.gid + steps.step = followers.gid
            and (
                joined_words.second in (followers.form, followers.folded)
                or (joined_words.second is null and regexp_matches(followers.folded, '^[αεηιουω]'))
            )
    inner join tokens
        on texts.gid = tokens.gid
    inner join tokens as second_tokens
        on followers.gid = second_tokens.gid
    where
        steps.step > 0
        or (joined_words.unsigned is not null and starts_with(second_tokens.native_form, '-'))

),

-- one row per pair of tokens that stand for one word; a row that names both parts is asked first
pairs as (

    select
        first_gid,
        second_gid,
        first_form,
        second_form,
        replace(first_form, 'ς', 'σ') || second_form as parts_joined,
        table_form,
        lemma,
        unsigned is not null as is_compound,
        is_turned,
    from candidates
    where
        is_signed
        or coalesce(list_contains(string_split(unsigned, ' '), first_form), false)
    qualify row_number() over (partition by first_gid order by is_turned asc, second asc nulls last) = 1

),

-- one row per pair whose second part is in no other one: of `μὴ τ- ἀληθῆ` the last two, of `οὔ -τε οὔ` the first two
apart as (

    select
        pairs.first_gid,
        pairs.second_gid,
        pairs.first_form,
        pairs.second_form,
        pairs.parts_joined,
        pairs.table_form,
        pairs.lemma,
        pairs.is_compound,
    from pairs
    anti join pairs as next_pairs
        on pairs.second_gid = next_pairs.first_gid
    anti join pairs as straight_pairs
        on
            pairs.is_turned
            and pairs.second_gid = straight_pairs.second_gid
            and not straight_pairs.is_turned

)

select * from apart
