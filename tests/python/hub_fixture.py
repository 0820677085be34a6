"""A small synthetic warehouse with exactly the tables that the export reads.

The sentences are made of a closed list of words, numbered so that no two are equal; they show every
null and empty case that the export has to keep apart. `build` can make it as large as a measurement needs.

What an edition says of itself is read from the models of the project themselves: they stand here as views over the
synthetic tables, so that a test can change a table and the counts follow.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import jinja2
import yaml

ROOT = Path(__file__).resolve().parents[2]

WORDS = "λόγος ἄνθρωπος πόλις θεός λέγω ἔχω ποιέω μέγας καλός πολύς ναῦς ἵππος γῆ ὕδωρ ἡμέρα νύξ"

SENTENCES = """
create table hub.sentences as
with numbered as (
    select
        n,
        'Author ' || chr((65 + n % 3)::int) as author,
        (n // 3) % 4 as work_number,
        case when n % 5 = 4 then 'ud_perseus' else 'gorman' end as project,
        3 + (n * 7) % {span} as words,
        sha256('sentence ' || n) as dedup_key
    from range({count}) as numbers(n)
)
select
    's-' || left(dedup_key, 16) as id,
    project || '/path ' || work_number || '.xml#' || n as sentence_id,
    n::int as sentence_number,
    author,
    'Work ' || work_number as work,
    'file-' || work_number as work_id,
    author || ':work-' || work_number as canonical_work,
    case work_number when 0 then 'history' when 1 then 'oratory' else 'epic' end as genre,
    array_to_string(
        list_transform(range(words), lambda i: ({words})[1 + (n * 31 + i * i + (n // 16) * i) % 16]), ' '
    ) as text,
    words::int as word_count,
    case when n % 2 = 0 then 'urn:cts:greekLit:tlg000' || work_number end as cts_urn,
    case when n % 3 = 0 then (n // 10) || '.' || n % 10 end as passage,
    case when n % 17 = 0 then 'a passage' when n % 19 = 0 then 'another passage' end as passage_note,
    null::varchar as text_distorted,
    project as treebank_source,
    case project when 'gorman' then ['CC BY-SA 4.0'] else ['CC BY-NC-SA 2.5', 'CC BY-SA 3.0 US'] end as licenses,
    [{{
        'project': project,
        'path': 'path ' || work_number || '.xml',
        'sentence_id': n::varchar,
        'document_id': case when n % 2 = 0 then 'document' end,
        'revision': 'd823e96d253277bc1872b83ff5ac8c393a0f830a',
        'url': 'https://example.org/' || work_number,
        'license': 'CC BY-SA 4.0',
        'annotators': case n % 4 when 0 then null when 1 then [] else ['annotator'] end,
        'syntax_scheme': 'prague'
    }}] as source_records,
    dedup_key
from numbered
"""

TOKENS = """
create table hub.tokens as
with words as (
    select
        id,
        sentence_number,
        treebank_source,
        unnest(string_split(text, ' ')) as form,
        generate_subscripts(string_split(text, ' '), 1) as token
    from hub.sentences
)
select
    id,
    token::int as token,
    form,
    case when token % 7 <> 0 then form end as lemma,
    case token % 3 when 0 then 'NOUN' when 1 then 'VERB' else 'ADV' end as upos,
    case token % 3 when 0 then 'Case=Nom|Gender=Masc|Number=Sing' when 1 then 'Mood=Ind|Tense=Pres' end as feats,
    (token - 1)::int as head,
    case token when 1 then 'root' when 2 then 'obj' else 'nmod' end as deprel,
    null::varchar as machine_upos,
    null::varchar as machine_feats,
    null::integer as machine_head,
    null::varchar as machine_deprel,
    null::varchar as machine_artefact,
    sentence_number::bigint * 2048 + token as gid
from words
order by id, token
"""

# Every token of the native project, the second one cut in two.
NATIVE_TOKENS = """
create table hub.native_tokens as
select
    id,
    token,
    (token + (token > 2 or is_second)::integer)::integer as part,
    (token + 1)::varchar || if(is_second, 'b', '') as source_token,
    'ATR' as relation,
    token::varchar as native_head,
    if(token = 3, 'editorial', null) as head_repair,
    token % 2 = 0 as head_converted,
    gid * 2 + is_second::bigint as gid
from hub.tokens
inner join hub.sentences using (id)
cross join (values (false), (true)) as parts (is_second)
where treebank_source = 'gorman' and (token = 2 or not is_second)
order by id, part
"""

ROWS = """
create table hub.configurations as
select
    track || '_' || size as configuration,
    track,
    size::int as size,
    true as is_expected,
    track <> 'archaic_epic' as is_built,
    case when track = 'archaic_epic' then 'no author has enough rows' end as reason,
    0::bigint as rows
from (values ('sentence'), ('work_held_out'), ('archaic_epic')) as tracks(track),
    (values (1), (5), (10)) as sizes(size);

create table hub.rows as
with parts as (
    select
        id,
        author,
        canonical_work,
        row_number() over (partition by author order by sentence_number) - 1 as place,
        count(*) over (partition by author) // 10 * 10 as kept,
        sentence_number
    from hub.sentences
),

splits as (
    select
        *,
        case
            when place < kept * 0.7 then 'train'
            when place < kept * 0.8 then 'validation'
            when place < kept * 0.9 then 'validation2'
            else 'test'
        end as split
    from parts
    where place < kept
),

ranked as (
    select *, row_number() over (partition by author, split order by sentence_number) - 1 as rank
    from splits
),

chunks as (
    select
        track,
        size,
        author,
        split,
        case size
            when 1 then min(id)
            else 'c-' || left(sha256(string_agg(id, '|' order by sentence_number)), 16)
        end as id,
        list(id order by sentence_number) as constituent_ids,
        count(distinct canonical_work) > 1 as is_mixed
    from ranked, (values ('sentence'), ('work_held_out')) as tracks(track), (values (1), (5), (10)) as sizes(size)
    group by track, size, author, split, rank // size
)

select
    track || '_' || size as configuration,
    track,
    size::int as chunk_target_size,
    split,
    id,
    author,
    len(constituent_ids)::int as chunk_size,
    constituent_ids,
    is_mixed as chunk_is_mixed_work,
    case when track = 'work_held_out' then 'held-out work' end as held_out_work,
    case when track = 'work_held_out' then 'Held-out Work' end as held_out_work_title,
    case when track = 'work_held_out' and author = 'Author A' then 'validation work' end as held_out_validation_work,
    case
        when track = 'work_held_out' and author = 'Author A' then 'Validation Work'
    end as held_out_validation_work_title,
    case when track = 'work_held_out' then 'epic' end as held_out_genre,
    case when track = 'work_held_out' then 'singleton' end as held_out_group
from chunks
order by configuration, split, id;

update hub.configurations
set rows = (select count(*) from hub.rows where rows.configuration = configurations.configuration);
"""


CATALOGUE = """
create table raw.source as select 'folder' as kind, 'the synthetic warehouse of the tests' as note;

create table raw.files as
select
    project,
    path,
    status,
    100::bigint as bytes,
    case status when 'read' then sha256(path) end as sha256,
    case path when 'changed.xml' then sha256('pinned') else sha256(path) end as expected_sha256,
    'd823e96d253277bc1872b83ff5ac8c393a0f830a' as revision,
    10::bigint as rows_in_file,
    9::bigint as rows_read,
    1::bigint as rows_rejected,
    null::varchar as note
from (
    values
    ('gorman', 'path 0.xml', 'read'),
    ('gorman', 'changed.xml', 'read'),
    ('gorman', 'absent.xml', 'absent'),
    ('ud_perseus', 'path 0.xml', 'read')
) as files(project, path, status);

create table raw.rejects as
select 'gorman' as project, 'path 0.xml' as path, 'token' as scope, 'a head' as expected, 'nothing' as found;

create table seeds.projects as
select *
from (
    values
    ('gorman', 'owner/gorman', 'd823e96d253277bc1872b83ff5ac8c393a0f830a', 'prague', 'CC BY-SA 4.0', 'https://example.org/by-sa'),
    ('agdt', 'owner/agdt', 'bf4334f0af5e13d16b04c1cccd6237e683ac6f5f', 'prague', 'CC BY-SA 3.0 US', 'https://example.org/us'),
    ('ud_perseus', 'owner/ud', '9ac120a0d9711d230f892817268f319e3121e123', 'ud', 'CC BY-NC-SA 2.5', 'https://example.org/nc')
) as projects(project, repository, revision, syntax_scheme, licence, licence_url),
    (values (date '2022-08-15', 'native_xml', 'Somebody', null::varchar))
    as others(revision_date, format, attribution, licence_remark);

create table benchmark.tracks as
select
    track,
    'Title of ' || track as title,
    'a reason' as reason,
    track <> 'archaic_epic' as is_built,
    case when track = 'archaic_epic' then 'no author has enough rows' end as not_built_reason,
    case when track = 'archaic_epic' then 0 else 3 end as authors
from (values ('sentence'), ('work_held_out'), ('archaic_epic')) as tracks(track);

create table seeds.authors as
select 'Author A' as author, 'corpus' as kind;

create table seeds.relation_reduction as
select deprel as relation, deprel
from (select unnest(['root', 'nsubj', 'obj', 'ccomp', 'obl', 'nmod', 'advmod', 'case', 'conj', 'dep']) as deprel);

create table seeds.tag_to_upos as
select unnest(['NOUN', 'VERB', 'ADJ', 'PRON', 'ADV', 'ADP', 'NUM', 'INTJ', 'X']) as upos;

create table seeds.tag_to_feats as
select *
from (
    values
    ('Case', 'Nom'), ('Gender', 'Masc'), ('Number', 'Sing'), ('Mood', 'Ind'), ('Tense', 'Pres')
) as features(feature, feature_value);

create table seeds.ud_upos as
select upos, upos in ('NOUN', 'PROPN', 'VERB', 'ADJ') as is_content
from (select unnest(['NOUN', 'PROPN', 'VERB', 'AUX', 'ADJ', 'ADV', 'PART', 'X']) as upos);

create table seeds.ud_relations as
select unnest(['root', 'nsubj', 'obj', 'nmod', 'vocative', 'dep']) as relation;

create table seeds.ud_features as
select *
from (
    values ('Case', 'Nom'), ('Gender', 'Masc'), ('Gender', 'Neut'), ('Number', 'Sing'), ('NumType', 'Card')
) as features(feature, value);

create table corpus.sentence_fates as
select
    sentence_id,
    treebank_source as project,
    'path' as path,
    sentence_number as position,
    author,
    canonical_work,
    case when id in (select id from hub.rows) then 'published' else 'remainder' end as fate,
    null::varchar as survivor_id,
    'a reason' as reason
from hub.sentences;

create table benchmark.split_remainders as
select 'sentence' as track, id as published_id, author
from hub.sentences
where id not in (select id from hub.rows where configuration = 'sentence_1');

create table benchmark.authors_absent as
select 'work_held_out' as track, 'Author Z' as author, 'one work only' as reason;

create table benchmark.authors as select 'sentence' as track, 'Author A' as author, 4 as works;
create table benchmark.tracks_not_built as select 'archaic_epic' as track, 'no author has enough rows' as reason;
create table benchmark.held_out_works as select 'work_held_out' as track, 'Author A' as author, 0.25 as test_work_share;
create table benchmark.held_out_candidates as
select 'work_held_out' as track, 'Author A' as author, true as is_test_work;
create table benchmark.shared_words as select 'sentence' as track, 'Author A' as author, 0.5 as own_share;

create table corpus.sentences as
select
    sentence_id, sentence_number, text, dedup_key, 'published' as fate, treebank_source as project, 'path' as path,
    sentence_number as position
from hub.sentences;

create table intermediate.int_reading__sentences as
select sentence_number, sentence_id, treebank_source as project, 'path' as path
from hub.sentences;

create table intermediate.int_syntax__coverage as
select
    sentence_number,
    word_count::bigint as words,
    word_count::bigint as tags,
    word_count::bigint as relations,
    if(sentence_number = 0, 0, word_count)::bigint as heads,
    word_count::bigint as lemmas,
    sentence_number <> 0 as is_annotated
from hub.sentences;

create table intermediate.int_leakage__sentences as
select
    sentence_number, id, true as is_published, author, treebank_source as project, 0 as path_rank,
    sentence_number as position, word_count as words
from hub.sentences;

create view intermediate.int_leakage__words as
select
    layer,
    sentences.sentence_number,
    if(layer = 'human', upos, machine_upos) as upos,
    if(layer = 'human', feats, machine_feats) as feats,
    if(layer = 'human', deprel, machine_deprel) as deprel,
    if(head = 0, null, if(head < token, 'before', 'after')) as direction,
    if(head = 0, null, abs(head - token)::varchar) as distance,
    head::varchar as depth,
    true as is_head
from hub.tokens
inner join hub.sentences using (id)
cross join (values ('human'), ('machine')) as layers (layer)
where layer = 'human' or machine_upos is not null;

create table intermediate.int_syntax__doubly_annotated (
    project varchar, other_project varchar, sentence_number integer, other_sentence_number integer
);
create table audit.project_tells (
    category varchar, value varchar, project varchar, words bigint, bits_per_word double, bits_per_occurrence double,
    is_tell boolean, reason varchar
);
create table audit.annotated_texts (
    project varchar, other_project varchar, texts bigint, same_words bigint, same_text bigint
);
create table audit.text_conventions (
    convention varchar, author varchar, project varchar, places bigint, occurrences bigint
);
create table audit.annotator_variation (
    feature_group varchar, feature varchar, project_spread double, author_spread double, annotation_difference double,
    ratio double, verdict varchar, merged_into varchar, reason varchar
);
create table hub.annotators_apart as
select
    'work_held_out' as track, 'Author B' as author, ['Somebody'] as test_annotators, []::varchar[] as train_annotators;

create table hub.doublets as
select
    'work_held_out' as track, 'Author B' as author, 'Test Work' as test_work, '3' as test_from_place,
    '6' as test_to_place, 2::bigint as test_sentences, 'Other Work' as train_work, '14' as train_from_place,
    '14' as train_to_place, 1::bigint as train_sentences, 'said twice' as reason;

create table hub.passage_notes as
select author, canonical_work, work, passage_note, count(*) as sentences
from hub.sentences
where passage_note is not null
group by all;

create table audit.flagged_sentences as
select sentence_id, 'gorman' as project, 'control' as flag
from hub.sentences
where sentence_number = 0;

create table audit.near_duplicate_pairs as
select *
from (
    values
    ('one_removed', 'gorman', 'ud_perseus'), ('one_removed', 'gorman', 'ud_perseus'),
    ('kept_same_project', 'gorman', 'gorman')
) as pairs(decision, project, other_project);

create table audit.same_project_repetition as
select 'Author A' as author, 'gorman' as project, 'gorman' as other_project, 1 as pairs, 2 as sentences, 9 as shared;

create table audit.author_conflicts as
select *
from (
    values (['Author A', 'Author B'], 2), (['Author A', 'Author B'], 3), (['Author A', 'Author C'], 2)
) as conflicts(authors, sentences);

create table audit.near_duplicate_chains as
select unnest([2, 3]) as sentences;

create table audit.minhash_recall as
select
    'bands_128x1' as setting, 128 as bands, 1 as rows_per_band, null::double as containment_threshold, 4 as candidates,
    3 as true_pairs, 3 as found, 0 as missed, 1.0::double as recall, 0.75::double as precision, 2 as removing_pairs,
    2 as removing_found, 'exact' as truth, 0.1::double as seconds;

create table intermediate.int_machine__manifest (provider varchar, model varchar, revision varchar, manifest varchar);
create table intermediate.int_machine__parse (id varchar, token integer, fold integer, artefact varchar);
create table audit.layer_agreement (
    scope varchar, scope_value varchar, tokens integer, agreeing integer, measure varchar, share double
);
create table audit.layer_agreement_features (
    scope varchar, scope_value varchar, feature varchar, human integer, machine integer,
    precision double, recall double, f1 double
);

comment on table corpus.sentence_fates is 'One row per sentence read.';
comment on column corpus.sentence_fates.fate is 'What became of the sentence.';
create macro corpus.fate_of(name) as table select * from corpus.sentence_fates where sentence_id = name;
comment on macro table corpus.fate_of is 'The fate of one sentence.';
create view corpus.published as select * from corpus.sentence_fates where fate = 'published';
comment on view corpus.published is 'One row per published sentence.';
"""


MACHINE = (
    """
    update hub.tokens
    set
        machine_upos = case token % 3 when 0 then 'PROPN' when 1 then 'AUX' else 'ADJ' end,
        machine_feats = case token % 3 when 0 then 'Case=Nom|Number=Sing|NumType=Card' end,
        machine_head = head,
        machine_deprel = case token when 1 then 'root' when 2 then 'nsubj:pass' else 'vocative' end,
        machine_artefact = '0123456789abcdef'
    """,
    """
    update hub.sentences
    set text_distorted = (
        select string_agg(case machine_upos when 'AUX' then form else machine_upos end, ' ' order by token)
        from hub.tokens
        where tokens.id = sentences.id
    )
    """,
    """
    insert into intermediate.int_machine__manifest
    select
        'conllu' as provider,
        null::varchar as model,
        null::varchar as revision,
        '{"provider": "conllu", "model": null, "repairs": {"extra_root": 2}, "key": "0123456789abcdef01", '
        || '"sha256": "0f", "sentences_sha256": "1f"}' as manifest
    """,
    """
    insert into intermediate.int_machine__parse
    select id, token, null::integer as fold, machine_artefact as artefact from hub.tokens
    """,
    """
    insert into audit.layer_agreement
    select *, agreeing / tokens as share
    from (
        values
        ('all', 'all', 3000, 2400), ('project', 'gorman', 2400, 2000), ('project', 'ud_perseus', 600, 400),
        ('author', 'Author A', 1000, 900)
    ) as counts(scope, scope_value, tokens, agreeing),
        (values ('uas'), ('las'), ('upos'), ('feats')) as measures(measure)
    """,
    """
    insert into audit.layer_agreement_features
    select
        scope, scope_value, 'Case=Nom' as feature, human, 8 as machine, 0.5::double as precision, 0.8::double as recall,
        null::double as f1
    from (
        values ('all', 'all', 10), ('project', 'gorman', 7), ('project', 'ud_perseus', 3)
    ) as scopes(scope, scope_value, human)
    """,
)
"""Statements that give the synthetic warehouse a machine layer: other classes and relations than the human one."""


MODELS = (
    "audit/about/audit_edition",
    "hub/about/hub_authors",
    "hub/about/hub_inventory",
    "hub/about/hub_licences",
    "audit/syntax/audit_annotation_coverage",
    "audit/about/audit_author_conflict_counts",
    "audit/about/audit_fate_counts",
    "intermediate/leakage/int_leakage__rates",
    "audit/leakage/audit_markup_rates",
    "audit/about/audit_deduplication",
    "audit/about/audit_fate_examples",
    "audit/about/audit_flag_counts",
    "audit/about/audit_fold_sentences",
    "audit/about/audit_layer_inventories",
    "audit/about/audit_near_duplicate_pair_counts",
    "audit/about/audit_project_annotation",
    "audit/about/audit_reject_counts",
    "audit/about/audit_source_files",
)
"""Models of the project that stand in the synthetic warehouse as views, each after those that it reads."""


def relation_of(model: str) -> str:
    """Return where a model or seed stands.

    >>> relation_of("hub_tokens"), relation_of("int_machine__parse"), relation_of("ud_upos")
    ('hub.tokens', 'intermediate.int_machine__parse', 'seeds.ud_upos')
    """
    schema, _, alias = model.partition("_")
    if schema in ("corpus", "benchmark", "hub", "audit"):
        return f"{schema}.{alias}"
    folders = {"int": "intermediate", "ud": "seeds", "relation": "seeds"}
    return f"{folders.get(schema, 'audit')}.{model}"


def add_models(con: duckdb.DuckDBPyConnection) -> None:
    """Add the models that say something of the edition, as views made of their own SQL."""
    variables = yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))["vars"]
    for model in MODELS:
        template = jinja2.Template((ROOT / "models" / f"{model}.sql").read_text(encoding="utf-8"))
        query = template.render(
            ref=relation_of,
            source=lambda *names: ".".join(names),
            var=variables.get,
            config=lambda **settings: "",
        )
        con.execute(f"create view {relation_of(model.rpartition('/')[2])} as {query}")


def build(path: Path, count: int = 600, span: int = 9, storage_version: str = "v1.4.0") -> Path:
    """Write the synthetic warehouse with `count` sentences of 3 to `span` + 2 words and return its path."""
    words = "[" + ", ".join(f"'{word}'" for word in WORDS.split()) + "]"
    with duckdb.connect(str(path), config={"storage_compatibility_version": storage_version}) as con:
        for schema in ("raw", "seeds", "intermediate", "corpus", "benchmark", "hub", "audit"):
            con.execute(f"create schema {schema}")
        con.execute(SENTENCES.format(count=count, words=words, span=span))
        con.execute(TOKENS)
        con.execute(NATIVE_TOKENS)
        con.execute(ROWS)
        con.execute(CATALOGUE)
        add_models(con)
    return path
