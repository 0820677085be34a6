with

tokens as (

    select * from {{ ref('corpus_tokens') }}

),

joined_words as (

    select * from {{ ref('int_words__words') }}
    where is_joined

),

nodes as (

    select * from {{ ref('corpus_nodes') }}
    where layer = 'ud'

),

-- one row per published word of a sentence that is no duplicate
words as (

    select
        tokens.sentence_id,
        tokens.project,
        tokens.author,
        tokens.work,
        tokens.canonical_work,
        tokens.genre,
        tokens.passage,
        tokens.fate,
        tokens.split,
        tokens.token_index,
        coalesce(joined_words.native_form, tokens.native_form) as native_form,
        nodes.form,
        nodes.folded,
        nodes.lemma,
        nodes.lemma_folded,
        tokens.native_tag,
        nodes.upos as ud_upos,
        nodes.feats as ud_feats,
        tokens.upos,
        tokens.feats,
        tokens.head,
        tokens.relation,
        tokens.deprel,
        {%- for feature in feature_columns() %}
            tokens.{{ feature_column(feature) }},
        {%- endfor %}
        nodes.depth,
        nodes.subtree_first,
        nodes.subtree_last,
        nodes.is_projective,
        tokens.source_index,
        tokens.sentence_number,
    from nodes
    inner join tokens
        on
            nodes.sentence_number = tokens.sentence_number
            and nodes.source_index = tokens.source_index
    left join joined_words
        on {{ token_key('tokens.sentence_number', 'tokens.source_index') }} = joined_words.gid
    where nodes.scope <= 2

)

select * from words
order by sentence_number, token_index
