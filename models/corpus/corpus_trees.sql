with

trees as (

    select * from {{ ref('int_trees__sentences') }}

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

-- one row per layer with the tree it stands on
layers (layer, tree) as (

    values ('ud', 'human'), ('published', 'human'), ('machine', 'machine'), ('native', 'native')

),

-- one row per sentence and layer
corpus_trees as (

    select
        sentences.sentence_id,
        layers.layer,
        {{ sentence_scope('sentences.fate') }} as scope,
        trees.node_count,
        trees.depth,
        trees.is_projective,
        trees.is_tree,
        trees.is_forest,
        trees.is_cyclic,
        trees.unanchored,
        {{ tree_key('trees.tree', 'trees.sentence_number', '0') }} as anchor_key,
        trees.sentence_number,
    from trees
    inner join layers
        on trees.tree = layers.tree
    inner join sentences
        on trees.sentence_number = sentences.sentence_number

)

select * from corpus_trees
order by layer, scope, sentence_number
