with

missing_rows as (

    select * from {{ ref('int_catalogue__missing_rows') }}

),

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

-- one row per seed that a person fills: its file, its first line, and what to know before a line is added
seeds (place, seed, file, header, advice) as (

    values
    (
        0, 'no_document', 'Files of the treebanks',
        'project,path,line of the first of them,its sent_id,sentences',
        'sentences that do not say which document they belong to: no row can mend them. Give them back what '
        || 'document_name_pattern of seeds/catalogue/projects.csv finds in document_name_place: the path of the file, '
        || 'the sent_id, or the comment source'
    ),
    (
        1, 'documents', 'seeds/catalogue/documents.csv',
        'project,document_match,title,decision,reason,source',
        'the decision is keep, exclude or skip'
    ),
    (
        2, 'works', 'seeds/catalogue/works.csv',
        'canonical_work,title,author,genre,reason,source',
        'the title is the usual English or Latin one, the author is empty where the work has none; a new author needs '
        || 'a row in seeds/catalogue/authors.csv '
        || '(author,kind,reason,source), a new genre one in seeds/catalogue/genres.csv (genre,description)'
    ),
    (
        3, 'work_aliases', 'seeds/catalogue/work_aliases.csv',
        'project,document_match,canonical_work,reason,source',
        'only where the document belongs to a work of another name: it takes the place of the row of the document in '
        || 'works.csv, and the work has or gets one under its own name'
    ),
    (
        4, 'authors', 'seeds/catalogue/authors.csv',
        'author,kind,reason,source',
        'the kind is person, corpus, pseudonymous or corporate'
    ),
    (
        5, 'genres', 'seeds/catalogue/genres.csv',
        'genre,description',
        'a sentence about what belongs to it'
    ),
    (
        6, 'retained_pseudonymous_authors', 'seeds/catalogue/retained_pseudonymous_authors.csv',
        'author,reason,source',
        'only where the label denotes one poet securely; else the decision about its documents is exclude'
    ),
    (
        7, 'source_flags', 'seeds/catalogue/source_flags.csv',
        'project,flag,decision,meaning,reason,source',
        'the decision is keep or exclude'
    ),
    (
        8, 'relations', 'seeds/annotation/relations.csv',
        'relation,base,co,ap,source,reason',
        'how the label is read; a label that the rule may read takes a row in seeds/annotation/allowed_labels.csv '
        || '(relation,reason) instead'
    )

),

-- one row per seed that lacks lines: its part of the message
parts as (

    select
        seeds.place,
        seeds.seed,
        concat(
            chr(10), seeds.file, ' (', seeds.advice, ')', chr(10), seeds.header, chr(10),
            string_agg(missing_rows.line, chr(10) order by missing_rows.line), chr(10)
        ) as part,
    from missing_rows
    inner join seeds
        on missing_rows.seed = seeds.seed
    group by seeds.place, seeds.seed, seeds.file, seeds.advice, seeds.header

),

-- one row: everything that is missing, or null; without a decision or a work nothing can be built
told as (

    select
        string_agg(part, '' order by place) as message,
        coalesce(bool_or(seed not in ('source_flags', 'relations')), false) as is_hopeless,
    from parts

),

-- one row: the input, with the message where something is missing
checked_input as (

    select
        count(sentences.sentence_number) as sentences,
        any_value(told.is_hopeless) as is_hopeless,
        'Nobody decided about a part of the input. Expected a row in a seed for each document, work, flag and label, '
        || 'found none for these. Add the lines with what is missing in them, and build again:'
        || chr(10) || any_value(told.message) as undecided,
    from told
    left join sentences
        on true

)

select
    sentences,
    case
        when sentences = 0
            then error(
                    'No sentence in the input. Expected treebanks with sentences, found none: '
                    || 'raw.files and raw.rejects say what became of each file.'
                )
        when is_hopeless then error(undecided)
        else undecided
    end as undecided,
from checked_input
