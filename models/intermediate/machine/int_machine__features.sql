with

parse as (

    select * from {{ ref('int_machine__parse') }}

),

tokens as (

    select * from {{ ref('int_splits__published_tokens') }}

),

upos_reduction as (

    select * from {{ ref('upos_reduction') }}

),

-- one row per parsed token, with its published class; the keys of heads hold the published numbering
parsed as (

    select
        {{ token_key('tokens.sentence_number', 'parse.token') }} as gid,
        if(parse.head = 0, 0, {{ token_key('tokens.sentence_number', 'parse.head') }}) as head_gid,
        parse.id,
        parse.token,
        upos_reduction.reduced as upos,
        tokens.form,
        tokens.folded,
        coalesce(tokens.lemma, '') as lemma,
        coalesce(parse.feats, '') as feats,
    from parse
    inner join tokens
        on
            parse.id = tokens.id
            and parse.token = tokens.token
    inner join upos_reduction
        on parse.upos = upos_reduction.upos

),

{{ reduced_features('parsed') }},

{{ agreed_genders('shown') }},

-- one row per parsed token
features as (

    select
        shown.id,
        shown.token,
        coalesce(agreed.feats, shown.feats) as feats,
    from shown
    left join agreed
        on shown.gid = agreed.gid

)

select * from features
