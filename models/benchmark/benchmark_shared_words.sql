with

assignments as (

    select * from {{ ref('benchmark_split_assignments') }}
    where split in ('train', 'test')

),

tokens as (

    select * from {{ ref('int_splits__published_tokens') }}

),

content_classes as (

    select * from {{ ref('ud_upos') }}
    where is_content

),

-- one row per track, author, split and content word (its lemma), with its occurrences
words as (

    select
        assignments.track,
        assignments.author,
        assignments.split,
        coalesce(tokens.lemma, tokens.form) as word,
        count(*) as occurrences,
    from assignments
    inner join tokens on assignments.published_id = tokens.id
    inner join content_classes on tokens.upos = content_classes.upos
    group by
        assignments.track,
        assignments.author,
        assignments.split,
        coalesce(tokens.lemma, tokens.form)

),

-- one row per track and author
test_totals as (

    select
        track,
        author,
        sum(occurrences)::bigint as content_words,
    from words
    where split = 'test'
    group by track, author

),

-- one row per track, author tested and author trained on: test words that occur in the training rows
shared as (

    select
        tested.track,
        tested.author,
        trained.author as train_author,
        sum(tested.occurrences)::bigint as content_words,
    from words as tested
    inner join words as trained
        on
            tested.track = trained.track
            and tested.word = trained.word
    where
        tested.split = 'test'
        and trained.split = 'train'
    group by tested.track, tested.author, trained.author

),

-- one row per track and author
shares as (

    select
        test_totals.track,
        test_totals.author,
        test_totals.content_words,
        round(
            max(case when shared.train_author = test_totals.author then shared.content_words end)
            / nullif(test_totals.content_words, 0),
            4
        ) as own_share,
        round(
            max(case when shared.train_author <> test_totals.author then shared.content_words end)
            / nullif(test_totals.content_words, 0),
            4
        ) as best_other_share,
    from test_totals
    left join shared
        on
            test_totals.track = shared.track
            and test_totals.author = shared.author
    group by test_totals.track, test_totals.author, test_totals.content_words

)

select * from shares
order by track, author
