-- Where does the parser differ from the annotators?
-- One row per word with another head or label; the share of equal heads is that of the author. Empty without a machine
-- layer.
with

edges as (

    select * from {{ ref('corpus_edges') }}

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

-- one row per word that has been parsed, with both annotations
pairs as (

    select
        humans.author,
        humans.sentence_number,
        humans.position,
        humans.form as word,
        humans.upos,
        humans.relation,
        machines.relation as machine_relation,
        humans.head,
        machines.head as machine_head,
        coalesce(humans.head_form, '(root)') as head_form,
        coalesce(machines.head_form, '(root)') as machine_head_form,
        humans.head = machines.head as has_same_head,
        humans.head = machines.head and humans.relation = machines.relation as is_same,
    from edges as humans
    inner join edges as machines
        on
            humans.sentence_number = machines.sentence_number
            and humans.position = machines.position
    where
        humans.layer = 'published'
        and machines.layer = 'machine'

),

-- one row per parsed word, with how often the two agree on its author
compared as (

    select
        *,
        count(*) over (partition by author) as words_compared,
        round(avg(has_same_head::integer) over (partition by author), 3) as share_same_head,
        round(10000.0 * avg((not is_same)::integer) over (partition by author), 1) as per_10000_words,
    from pairs

),

machine_against_human as (

    select
        coalesce(compared.author, '(no author)') as author,
        compared.words_compared,
        compared.per_10000_words,
        compared.share_same_head,
        sentences.citation,
        compared.word,
        compared.upos,
        compared.relation,
        compared.machine_relation,
        compared.head_form,
        compared.machine_head_form,
        sentences.native_text as sentence,
        sentences.sentence_id,
        compared.position,
    from compared
    inner join sentences
        on compared.sentence_number = sentences.sentence_number
    where not compared.is_same

)

select * from machine_against_human
order by author asc, sentence_id asc, position asc
