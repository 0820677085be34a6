with

files as (

    select
        count(*) filter (where status = 'read') as files_read,
        coalesce(sum(rows_in_file), 0)::bigint as rows_in_file,
        coalesce(sum(rows_read), 0)::bigint as rows_read,
        coalesce(sum(rows_rejected), 0)::bigint as rows_rejected
    from {{ source('raw', 'files') }}

),

fates as (

    select count(*) as sentences_read from {{ ref('corpus_sentence_fates') }}

),

sentences as (

    select count(*) as sentences from {{ ref('hub_sentences') }}

),

tokens as (

    select count(*) as words from {{ ref('hub_tokens') }}

),

pairs as (

    select count(*) as pairs_counted from {{ ref('audit_near_duplicate_pairs') }}

),

repetitions as (

    select coalesce(sum(pairs), 0)::bigint as repeated_pairs from {{ ref('audit_same_project_repetition') }}

),

conflicts as (

    select
        count(*) as conflict_groups,
        coalesce(sum(sentences), 0)::bigint as conflict_sentences
    from {{ ref('audit_author_conflicts') }}

),

chains as (

    select
        count(*) as chains,
        coalesce(max(sentences), 0)::bigint as longest_chain
    from {{ ref('audit_near_duplicate_chains') }}

),

-- one row
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
        chains.longest_chain
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
