-- How many articles does an author use?
-- One row per author, with the sentence that has most articles for its length. Homer and tragedy are expected at the
-- bottom.
with

words as (

    select * from {{ ref('corpus_words') }}

),

sentences as (

    select * from {{ ref('corpus_sentences') }}

),

-- one row per sentence with its words and articles
sentence_counts as (

    select
        author,
        sentence_number,
        count(*) as words,
        count(*) filter (where lemma = 'ὁ' and relation = 'det') as articles,
    from words
    group by author, sentence_number

),

-- one row per author
author_counts as (

    select
        author,
        sum(words)::bigint as words,
        sum(articles)::bigint as articles,
        round(10000.0 * sum(articles) / sum(words), 1) as per_10000_words,
        arg_max(sentence_number, (words >= 10, articles / words, -sentence_number)) as example,
    from sentence_counts
    group by author

),

articles_by_author as (

    select
        coalesce(author_counts.author, '(no author)') as author,
        author_counts.words,
        author_counts.articles,
        author_counts.per_10000_words,
        sentences.citation,
        sentences.native_text as sentence,
        sentences.sentence_id,
    from author_counts
    left join sentences
        on author_counts.example = sentences.sentence_number

)

select * from articles_by_author
order by per_10000_words desc, author asc
