with

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

texts as (

    select * from {{ ref('int_text__tokens') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

word_tokens as (

    select * from {{ ref('int_words__tokens') }}

),

words as (

    select * from {{ ref('int_words__words') }}

),

full_annotation as (

    select * from {{ ref('int_syntax__full_annotation') }}

),

machine_trees as (

    select * from {{ ref('int_machine__trees') }}

),

feature_sets as (

    select * from {{ ref('int_trees__feature_sets') }}

),

-- one row per token of every sentence read
corpus_tokens as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        sentences.author,
        sentences.work,
        sentences.canonical_work,
        sentences.genre,
        sentences.passage,
        sentences.fate,
        sentences.split,
        tokens.source_index,
        tokens.source_token,
        word_tokens.token_index,
        tokens.native_form,
        nullif(texts.form, '') as form,
        nullif(texts.folded, '') as folded,
        words.form as word,
        texts.lemma,
        texts.published_lemma,
        tokens.native_tag,
        tokens.native_head,
        tokens.native_relation,
        words.upos,
        words.feats,
        full_annotation.ud_upos,
        full_annotation.ud_feats,
        words.head,
        if(words.head = 0, 'root', full_annotation.relation) as relation,
        words.deprel,
        trees.head_repair,
        machine_trees.upos as machine_upos,
        machine_trees.feats as machine_feats,
        machine_trees.head as machine_head,
        machine_trees.relation as machine_deprel,
        {%- for feature in feature_columns() %}
            feature_sets.{{ feature_column(feature) }},
        {%- endfor %}
        sentences.sentence_number,
    from tokens
    inner join sentences
        on tokens.sentence_number = sentences.sentence_number
    inner join texts
        on tokens.gid = texts.gid
    left join word_tokens
        on tokens.gid = word_tokens.gid
    left join words
        on tokens.gid = words.gid
    left join feature_sets
        on words.feats = feature_sets.feats
    left join trees
        on tokens.gid = trees.gid
    left join full_annotation
        on tokens.gid = full_annotation.gid
    left join machine_trees
        on tokens.gid = machine_trees.gid

)

select * from corpus_tokens
order by sentence_number, source_index
