with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

words as (

    select * from {{ ref('int_words__sentences') }}

),

fates as (

    select * from {{ ref('corpus_sentence_fates') }}

),

passage_notes as (

    select * from {{ ref('int_catalogue__passage_notes') }}

),

trees as (

    select * from {{ ref('int_trees__sentences') }}
    where tree = 'human'

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

assignments as (

    select * from {{ ref('int_splits__assignments') }}
    where track = 'sentence' and not is_remainder

),

-- one row per row of a file whose form is printed: of a multiword range the range, not its words
printed as (

    select
        sentence_number,
        source_index,
        native_form,
        case when row_kind = 'range' then split_part(source_token, '-', 2)::integer end as last_id,
        max(last_id) over (partition by sentence_number order by source_index rows unbounded preceding) as covered_id,
        row_kind,
        try_cast(source_token as integer) as id,
    from tokens
    where row_kind <> 'empty' and not is_elliptic

),

-- one row per sentence with a form
native_texts as (

    select
        sentence_number,
        {{ printed_text("string_agg(native_form, ' ' order by source_index)") }} as native_text,
    from printed
    where
        native_form <> ''
        and (row_kind = 'range' or id is null or covered_id is null or id > covered_id)
    group by sentence_number

),

-- one row per sentence read
corpus_sentences as (

    select
        sentences.sentence_id,
        sentences.project,
        sentences.path,
        sentences.position,
        sentences.source_sentence_id,
        sentences.document_id,
        sentences.author,
        sentences.work,
        sentences.work_id,
        sentences.canonical_work,
        sentences.genre,
        sentences.cts_urn,
        sentences.passage,
        words.text,
        texts.dedup_key,
        fates.fate,
        assignments.split,
        fates.survivor_id,
        sentences.sentence_number,
        coalesce(words.word_count, 0) as word_count,
        sentences.line,
        native_texts.native_text,
        {{ cited('sentences.author', 'sentences.work', 'sentences.passage') }} as citation,
        trees.is_projective,
        trees.is_tree,
        trees.depth as tree_depth,
        passage_notes.passage_note,
    from sentences
    inner join texts
        on sentences.sentence_number = texts.sentence_number
    left join words
        on sentences.sentence_number = words.sentence_number
    inner join fates
        on sentences.sentence_id = fates.sentence_id
    left join native_texts
        on sentences.sentence_number = native_texts.sentence_number
    left join trees
        on sentences.sentence_number = trees.sentence_number
    left join assignments
        on sentences.sentence_number = assignments.sentence_number
    left join passage_notes
        on sentences.sentence_number = passage_notes.sentence_number

)

select * from corpus_sentences
order by sentence_number
