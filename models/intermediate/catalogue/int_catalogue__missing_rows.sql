with

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

sentence_documents as (

    select * from {{ ref('int_catalogue__sentence_documents') }}

),

documents as (

    select * from {{ ref('int_catalogue__named_documents') }}

),

works as (

    select * from {{ ref('works') }}

),

tokens as (

    select * from {{ ref('stg_native_xml__tokens') }}

),

-- one row per file with sentences that name no document: no row of a seed can mend them
unnamed as (

    select
        sentences.project,
        sentences.path,
        arg_min(sentences.line, sentences.sentence_number)::varchar as line,
        arg_min(coalesce(sentences.source_sentence_id, ''), sentences.sentence_number) as source_sentence_id,
        count(*)::varchar as sentences,
    from sentences
    inner join sentence_documents
        on sentences.sentence_number = sentence_documents.sentence_number
    where sentence_documents.document_match = ''
    group by sentences.project, sentences.path

),

-- one row per line that a seed lacks: fields that are known, and commas for those that a person fills in
missing as (

    select
        'no_document' as seed,
        {{ csv_line(['project', 'path', 'line', 'source_sentence_id', 'sentences'], 0) }} as line,
    from unnamed

    union

    select
        'documents' as seed,
        {{ csv_line(['project', 'document_match'], 4) }} as line,
    from documents
    where not is_decided

    union

    select
        'works' as seed,
        {{ csv_line(['canonical_work'], 5) }} as line,
    from documents
    where not has_work

    union

    select
        'work_aliases' as seed,
        {{ csv_line(['project', 'document_match'], 3) }} as line,
    from documents
    where
        not has_alias
        and not is_decided
        and not has_work
        and not regexp_full_match(canonical_work, 'tlg\d+\.tlg\d+')

    union

    select
        'authors' as seed,
        {{ csv_line(['author'], 3) }} as line,
    from works
    where author not in (select authors.author from {{ ref('authors') }} as authors)

    union

    select
        'genres' as seed,
        {{ csv_line(['genre'], 1) }} as line,
    from works
    where genre not in (select genres.genre from {{ ref('genres') }} as genres)

    union

    select
        'retained_pseudonymous_authors' as seed,
        {{ csv_line(['documents.author'], 2) }} as line,
    from documents
    inner join {{ ref('authors') }} as authors
        on documents.author = authors.author
    where
        documents.decision = 'keep'
        and authors.kind in ('pseudonymous', 'corporate')
        and documents.author not in (
            select retained.author from {{ ref('retained_pseudonymous_authors') }} as retained
        )

    union

    select
        'source_flags' as seed,
        {{ csv_line(['sentences.project', 'sentences.source_flag'], 4) }} as line,
    from sentences
    anti join {{ ref('source_flags') }} as flags
        on
            sentences.project = flags.project
            and sentences.source_flag = flags.flag
    where sentences.source_flag is not null

    union

    select
        'relations' as seed,
        {{ csv_line(['tokens.native_relation'], 5) }} as line,
    from tokens
    anti join {{ ref('relations') }} as relations
        on {{ bare_label('tokens.native_relation') }} = relations.relation
    anti join {{ ref('allowed_labels') }} as allowed_labels
        on {{ bare_label('tokens.native_relation') }} = allowed_labels.relation
    where {{ bare_label('tokens.native_relation') }} <> ''

)

select
    seed,
    line,
from missing
