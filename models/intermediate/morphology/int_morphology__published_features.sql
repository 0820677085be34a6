with

words as (

    select * from {{ ref('int_morphology__classed_words') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

native_trees as (

    select * from {{ ref('int_syntax__native_trees') }}

),

ud_trees as (

    select * from {{ ref('int_syntax__ud_trees') }}

),

several_values as (

    select * from {{ ref('several_values') }}

),

-- one row per published token with its head
trees as (

    select
        gid,
        head_gid,
    from native_trees
    union all
    select
        gid,
        head_gid,
    from ud_trees

),

-- one row per published token; a letter that stands for several values, which the source did not write, is all of them
tagged as (

    select
        words.gid,
        words.upos,
        text_tokens.form,
        text_tokens.folded,
        coalesce(text_tokens.lemma, '') as lemma,
        concat_ws('|', words.feats, several_values.feature || '=' || several_values.feature_values) as feats,
    from words
    inner join text_tokens
        on words.gid = text_tokens.gid
    left join several_values
        on
            substr(words.tag, several_values.position, 1) = several_values.value
            and not contains('|' || coalesce(words.feats, ''), '|' || several_values.feature || '=')

),

{{ reduced_features('tagged') }},

-- one row per published token, with its head
words_of_trees as (

    select
        shown.gid,
        trees.head_gid,
        shown.feats,
    from shown
    inner join trees
        on shown.gid = trees.gid

),

{{ agreed_genders('words_of_trees') }},

-- one row per published token
published_features as (

    select
        shown.gid,
        coalesce(agreed.feats, shown.feats) as feats,
    from shown
    left join agreed
        on shown.gid = agreed.gid

)

select * from published_features
