-- Where do two annotators of one sentence differ?
-- One row per word to which two projects give different heads or labels; the share of equal heads is that of the two.
with

nodes as (

    select * from {{ ref('corpus_nodes') }}
    where layer = 'ud'

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

-- one row per sentence that two projects have annotated
doubles as (

    select
        copies.sentence_number as copy_number,
        copies.project as other_project,
        kept.*,
    from sentences as copies
    inner join sentences as kept
        on copies.survivor_id = kept.sentence_id
    where
        copies.project <> kept.project
        and copies.word_count = kept.word_count

),

-- one row per word of such a sentence, with both annotations
pairs as (

    select
        doubles.*,
        firsts.position,
        firsts.form as word,
        firsts.label as relation,
        seconds.label as other_relation,
        firsts.head,
        seconds.head as other_head,
    from doubles
    inner join nodes as firsts
        on doubles.sentence_number = firsts.sentence_number
    inner join nodes as seconds
        on
            doubles.copy_number = seconds.sentence_number
            and firsts.position = seconds.position
            and firsts.folded = seconds.folded

),

-- one row per sentence and other project: a sentence that was taken over as it is has no difference and is left out
independent as (

    select
        sentence_number,
        copy_number,
    from pairs
    group by sentence_number, copy_number
    having bool_or(head <> other_head or relation <> other_relation)

),

-- one row per word of these sentences, with how often the two projects agree there on the author
compared as (

    select
        pairs.*,
        count(*) over agreement as words_compared,
        round(avg((pairs.head = pairs.other_head)::integer) over agreement, 3) as share_same_head,
        round(10000.0 * avg((pairs.head <> pairs.other_head or pairs.relation <> pairs.other_relation)::integer)
            over agreement, 1) as per_10000_words,
    from pairs
    inner join independent
        on
            pairs.sentence_number = independent.sentence_number
            and pairs.copy_number = independent.copy_number
    window agreement as (partition by pairs.author, pairs.project, pairs.other_project)

),

annotators_of_one_sentence as (

    select
        coalesce(author, '(no author)') as author,
        project,
        other_project,
        words_compared,
        per_10000_words,
        share_same_head,
        citation,
        word,
        relation,
        other_relation,
        head,
        other_head,
        native_text as sentence,
        sentence_id,
        position,
    from compared
    where head <> other_head or relation <> other_relation

)

select * from annotators_of_one_sentence
order by author asc, project asc, other_project asc, sentence_id asc, position asc
