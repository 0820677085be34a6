with

pairs as (

    select * from {{ ref('int_syntax__doubly_annotated') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}
    where is_published

),

words as (

    select * from {{ ref('int_morphology__words') }}

),

copied_annotations as (

    select * from {{ ref('copied_annotations') }}

),

class_families as (

    select * from {{ ref('class_families') }}
    where is_voted

),

-- one row per word that two projects have annotated with one lemma: both classes
compared as (

    select
        ones.published_lemma,
        least(own_words.upos, other_words.upos) as upos,
        greatest(own_words.upos, other_words.upos) as other_upos,
        copied_annotations.project is not null as is_copied,
    from pairs
    inner join text_tokens as ones
        on pairs.sentence_number = ones.sentence_number
    inner join text_tokens as others
        on
            pairs.other_sentence_number = others.sentence_number
            and ones.token_index = others.token_index
            and ones.published_lemma = others.published_lemma
    inner join words as own_words
        on ones.gid = own_words.gid
    inner join words as other_words
        on others.gid = other_words.gid
    left join copied_annotations
        on
            pairs.project = copied_annotations.project
            and pairs.other_project = copied_annotations.other_project

),

-- one row per lemma and pair of classes, of which the second one may be the first
counted as (

    select
        published_lemma,
        upos,
        other_upos,
        count(*) as words,
        count(*) filter (where not is_copied) as independent_words,
    from compared
    group by
        published_lemma,
        upos,
        other_upos

),

-- one row per lemma and two classes of one family between which annotators differ
disagreements as (

    select
        counted.published_lemma,
        counted.upos,
        counted.other_upos,
        counted.words as disagreements,
        least(coalesce(ones.independent_words, 0), coalesce(others.independent_words, 0)) as agreements,
    from counted
    inner join class_families as families
        on counted.upos = families.upos
    inner join class_families as other_families
        on
            counted.other_upos = other_families.upos
            and families.family = other_families.family
    left join counted as ones
        on
            counted.published_lemma = ones.published_lemma
            and counted.upos = ones.upos
            and counted.upos = ones.other_upos
    left join counted as others
        on
            counted.published_lemma = others.published_lemma
            and counted.other_upos = others.upos
            and counted.other_upos = others.other_upos
    where counted.upos <> counted.other_upos

),

-- the same; where the context decides, annotators agree on the rarer class more often than they differ; one is a slip
judged as (

    select
        *,
        disagreements > 1 and disagreements > agreements as is_contested,
    from disagreements

)

select * from judged
