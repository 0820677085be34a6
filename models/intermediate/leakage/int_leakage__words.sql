with

sentences as (

    select * from {{ ref('int_leakage__sentences') }}

),

tokens as (

    select * from {{ ref('int_words__words') }}

),

machine_trees as (

    select * from {{ ref('int_machine__trees') }}

),

-- one row per layer and word of the sentences
words as (

    select
        'human' as layer,
        tokens.gid,
        tokens.sentence_number::integer as sentence_number,
        tokens.token_index,
        tokens.head,
        tokens.deprel,
        tokens.relation,
        tokens.upos,
        tokens.feats,
    from tokens
    inner join sentences on tokens.sentence_number = sentences.sentence_number
    union all
    select
        'machine' as layer,
        machine_trees.gid,
        machine_trees.sentence_number,
        machine_trees.token as token_index,
        machine_trees.head,
        machine_trees.relation as deprel,
        machine_trees.relation,
        machine_trees.upos,
        machine_trees.feats,
    from machine_trees

),

-- one row per layer and sentence, with the heads of its words in their order
head_lists as (

    select
        layer,
        sentence_number,
        list(head order by token_index) as heads,
    from words
    group by layer, sentence_number

),

-- one row per layer and word, with the heads of its head and so on; above the root there is none
climbed as (

    select
        words.*,
        list_contains(head_lists.heads, words.token_index) as is_head,
        head_lists.heads[words.head] as second,
        head_lists.heads[head_lists.heads[words.head]] as third,
        head_lists.heads[head_lists.heads[head_lists.heads[words.head]]] as fourth,
        head_lists.heads[head_lists.heads[head_lists.heads[head_lists.heads[words.head]]]] as fifth,
    from words
    inner join head_lists
        on words.layer = head_lists.layer and words.sentence_number = head_lists.sentence_number

),

-- one row per layer and word, with its place in the tree in bins
placed as (

    select
        climbed.layer,
        climbed.gid,
        climbed.sentence_number,
        sentences.author,
        sentences.project,
        sentences.is_published,
        tokens.form,
        tokens.folded,
        tokens.lemma,
        climbed.upos,
        climbed.feats,
        climbed.deprel,
        climbed.relation,
        climbed.is_head,
        case when climbed.head < climbed.token_index then 'before' else 'after' end as direction,
        case
            when abs(climbed.head - climbed.token_index) <= 3 then abs(climbed.head - climbed.token_index)::varchar
            when abs(climbed.head - climbed.token_index) <= 6 then '4 to 6'
            when abs(climbed.head - climbed.token_index) <= 12 then '7 to 12'
            else '13 and more'
        end as distance,
        case
            when climbed.head = 0 then '0'
            when climbed.second = 0 then '1'
            when climbed.third = 0 then '2'
            when climbed.fourth = 0 then '3'
            when climbed.fifth = 0 then '4'
            else '5 and more'
        end as depth,
        climbed.head = 0 as is_root,
    from climbed
    inner join sentences on climbed.sentence_number = sentences.sentence_number
    inner join tokens on climbed.gid = tokens.gid

),

-- one row per layer and word; the root has no direction and no distance
leakage_words as (

    select
        * exclude (is_root) replace (
            if(is_root, null, direction) as direction,
            if(is_root, null, distance) as distance
        ),
    from placed

)

select * from leakage_words
order by layer, gid
