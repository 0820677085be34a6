{{ config(post_hook="create or replace macro main.fold(word) as " ~ fold('word')) }}

with

nodes as (

    select * from {{ ref('int_trees__nodes') }}

),

spans as (

    select * from {{ ref('int_trees__spans') }}

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

tokens as (

    select * from {{ ref('corpus_tokens') }}

),

joined_words as (

    select * from {{ ref('int_words__words') }}
    where is_joined

),

lemmas as (

    select * from {{ ref('int_trees__lemmas') }}

),

feature_sets as (

    select * from {{ ref('int_trees__feature_sets') }}

),

-- one row per node of a tree, with what its subtree covers
spanned as (

    select
        nodes.tree,
        nodes.gid,
        nodes.node_key,
        nodes.head_key,
        nodes.sentence_number,
        nodes.position,
        nodes.head,
        spans.depth,
        spans.subtree_first,
        spans.subtree_last,
        spans.subtree_size,
        spans.subtree_gaps,
        spans.is_projective,
    from nodes
    inner join spans
        on nodes.node_key = spans.node_key

),

-- one row per node of a layer: what its token has in this layer; where the nodes are words, with the joined ones
layered as (

    {%- for layer, tree, upos, feats, label in [
        ('ud', 'human', 'ud_upos', 'ud_feats', 'relation'),
        ('published', 'human', 'upos', 'feats', 'deprel'),
        ('machine', 'machine', 'machine_upos', 'machine_feats', 'machine_deprel'),
        ('native', 'native', 'ud_upos', 'ud_feats', 'native_relation'),
    ] %}
        {{ 'union all' if not loop.first }}
        select
            '{{ layer }}' as layer,
            spanned.* exclude (tree, gid),  -- noqa: RF02
            tokens.source_index,
            {%- if tree == 'native' %}
                tokens.native_form as form,
                tokens.folded,
                tokens.lemma,
            {%- else %}
                coalesce(joined_words.form, tokens.form) as form,
                coalesce(joined_words.folded, tokens.folded) as folded,
                coalesce(joined_words.lemma, tokens.lemma) as lemma,
            {%- endif %}
            tokens.native_tag as xpos,
            tokens.{{ upos }} as upos,  -- noqa: AL09
            tokens.{{ feats }} as feats,  -- noqa: AL09
            nullif(tokens.{{ label }}, '') as label,
        from spanned
        inner join tokens
            on spanned.gid = {{ token_key('tokens.sentence_number', 'tokens.source_index') }}
        {%- if tree != 'native' %}
            left join joined_words
                on spanned.gid = joined_words.gid
        {%- endif %}
        where spanned.tree = '{{ tree }}'
    {%- endfor %}

),

-- one row per node of a layer
corpus_nodes as (

    select
        layered.layer,
        {{ sentence_scope('sentences.fate') }} as scope,
        layered.sentence_number,
        layered.position,
        layered.node_key,
        layered.head_key,
        layered.head,
        layered.label,
        layered.form,
        layered.folded,
        layered.lemma,
        lemmas.lemma_folded,
        layered.xpos,
        layered.upos,
        layered.feats,
        {%- for feature in feature_columns() %}
            feature_sets.{{ feature_column(feature) }},
        {%- endfor %}
        layered.depth,
        layered.subtree_first,
        layered.subtree_last,
        layered.subtree_size,
        layered.subtree_gaps,
        layered.is_projective,
        layered.source_index,
    from layered
    inner join sentences
        on layered.sentence_number = sentences.sentence_number
    left join lemmas
        on layered.lemma = lemmas.lemma
    left join feature_sets
        on layered.feats = feature_sets.feats

)

select * from corpus_nodes
order by layer, scope, node_key
