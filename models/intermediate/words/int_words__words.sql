with

tokens as (

    select * from {{ ref('int_words__tokens') }}

),

parts as (

    select * from {{ ref('int_words__parts') }}

),

outer_parts as (

    select * from {{ ref('int_words__outer_parts') }}

),

source_tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

texts as (

    select * from {{ ref('int_text__tokens') }}

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

-- one row per joined word, with its parts as read
read_parts as (

    select
        parts.word_gid,
        string_agg(source_tokens.native_form, ' ' order by parts.gid) as native_form,
    from parts
    inner join source_tokens
        on parts.gid = source_tokens.gid
    group by parts.word_gid

),

-- one row per word of the line: the part that stands for it, and those that its head and its relation are from
words as (

    select
        tokens.gid,
        tokens.sentence_number,
        tokens.token_index,
        coalesce(parts.form, texts.form) as form,
        if(parts.gid is null, texts.folded, {{ fold('parts.form') }}) as folded,
        coalesce(parts.lemma, texts.published_lemma) as lemma,
        morphology.upos,
        nullif(morphology.feats, '') as feats,
        coalesce(outer_parts.outer_gid, tokens.gid) as outer_gid,
        coalesce(outer_parts.hangs_inside, false) as hangs_inside,
        parts.gid is not null as is_joined,
        read_parts.native_form,
    from tokens
    inner join texts
        on tokens.gid = texts.gid
    inner join morphology
        on tokens.gid = morphology.gid
    left join parts
        on tokens.gid = parts.gid
    left join outer_parts
        on tokens.word_gid = outer_parts.word_gid
    left join read_parts
        on tokens.word_gid = read_parts.word_gid
    where tokens.gid = tokens.word_gid

),

-- one row per word, with its place in the tree of words
placed as (

    select
        words.gid,
        words.sentence_number,
        words.token_index,
        words.form,
        words.folded,
        words.lemma,
        words.upos,
        words.feats,
        words.is_joined,
        words.native_form,
        coalesce(head_tokens.token_index, 0)::integer as head,
        case
            when words.hangs_inside or outer_trees.head = 0 then words.outer_gid
            else words.gid
        end as relation_gid,
    from words
    inner join trees as outer_trees
        on words.outer_gid = outer_trees.gid
    left join tokens as head_tokens
        on outer_trees.head_gid = head_tokens.gid

),

-- one row per word, with the relation of the part that it is from
related as (

    select
        placed.*,
        trees.relation,
        trees.deprel,
    from placed
    inner join trees
        on placed.relation_gid = trees.gid

)

select * from related
