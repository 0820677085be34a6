with

published as (

    select * from {{ ref('int_splits__published') }}

),

catalogue as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_words__sentences') }}

),

entered as (

    select * from {{ ref('int_splits__entered') }}

),

distorted_texts as (

    select * from {{ ref('int_machine__distorted_texts') }}

),

source_records as (

    select * from {{ ref('corpus_source_records') }}

),

passage_notes as (

    select * from {{ ref('int_catalogue__passage_notes') }}

),

-- one row per published sentence: its own record first, then those of its exact duplicates
records as (

    select
        sentence_id,
        list(
            struct_pack(
                project := project,
                path := path,
                sentence_id := source_sentence_id,
                document_id := document_id,
                revision := revision,
                url := url,
                license := license,
                annotators := annotators,
                syntax_scheme := syntax_scheme
            )
            order by record_index
        ) as source_records,
        list_sort(list(distinct license)) as licenses,
    from source_records
    group by sentence_id

),

-- one row per distinct published sentence, with its columns
sentences as (

    select
        published.id,
        catalogue.sentence_id,
        catalogue.sentence_number,
        catalogue.author,
        catalogue.work,
        catalogue.work_id,
        catalogue.canonical_work,
        catalogue.genre,
        texts.text,
        distorted_texts.text_distorted,
        published.word_count,
        catalogue.cts_urn,
        catalogue.passage,
        passage_notes.passage_note,
        catalogue.project as treebank_source,
        entered.dedup_key,
        records.licenses,
        records.source_records,
    from published
    inner join catalogue on published.sentence_number = catalogue.sentence_number
    inner join entered on published.sentence_number = entered.sentence_number
    inner join texts on published.sentence_number = texts.sentence_number
    inner join records on catalogue.sentence_id = records.sentence_id
    left join distorted_texts on published.sentence_number = distorted_texts.sentence_number
    left join passage_notes on published.sentence_number = passage_notes.sentence_number

)

select * from sentences
order by id
