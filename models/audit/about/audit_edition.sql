with

-- one row: the files that were read, and their rows
files as (

    select
        count(*) filter (where status = 'read') as files_read,
        coalesce(sum(rows_in_file), 0)::bigint as rows_in_file,
        coalesce(sum(rows_read), 0)::bigint as rows_read,
        coalesce(sum(rows_rejected), 0)::bigint as rows_rejected,
    from {{ source('raw', 'files') }}

),

-- one row: sentences read
fates as (

    select count(*) as sentences_read from {{ ref('corpus_sentence_fates') }}

),

-- one row: sentences published
sentences as (

    select count(*) as sentences from {{ ref('hub_sentences') }}

),

-- one row: words published
tokens as (

    select count(*) as words from {{ ref('hub_tokens') }}

),

-- one row: pairs counted
pairs as (

    select count(*) as pairs_counted from {{ ref('audit_near_duplicate_pairs') }}

),

-- one row: pairs inside one project
repetitions as (

    select coalesce(sum(pairs), 0)::bigint as repeated_pairs from {{ ref('audit_same_project_repetition') }}

),

-- one row: groups of the same letters under several authors
conflicts as (

    select
        count(*) as conflict_groups,
        coalesce(sum(sentences), 0)::bigint as conflict_sentences,
    from {{ ref('audit_author_conflicts') }}

),

-- one row: chains of near-duplicates
chains as (

    select
        count(*) as chains,
        coalesce(max(sentences), 0)::bigint as longest_chain,
    from {{ ref('audit_near_duplicate_chains') }}

),

-- one row: the totals of the edition
edition as (

    select
        files.files_read,
        files.rows_in_file,
        files.rows_read,
        files.rows_rejected,
        fates.sentences_read,
        sentences.sentences,
        tokens.words,
        pairs.pairs_counted,
        repetitions.repeated_pairs,
        conflicts.conflict_groups,
        conflicts.conflict_sentences,
        chains.chains,
        chains.longest_chain,
    from files
    cross join fates
    cross join sentences
    cross join tokens
    cross join pairs
    cross join repetitions
    cross join conflicts
    cross join chains

)

select * from edition
