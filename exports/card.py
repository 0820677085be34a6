"""The dataset card: YAML that the Hub and `datasets` read, and the text that people read.

Every number, name and list in it comes from the warehouse or from the schema; nothing is typed by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import yaml

from exports import machine, schema
from exports.warehouse import input_kind, relations, rows

if TYPE_CHECKING:
    import duckdb

    from exports.hub import Units, Written
    from exports.manifests import Fates

NAME = "Sphragis"
DEFAULT = "sentence_1"
"""The configuration that `load_dataset` takes when none is named."""

KEYWORDS = ("authorship-attribution", "ancient-greek", "treebank", "universal-dependencies", "stylometry")

DESCRIPTION = (
    "A benchmark for authorship attribution of Ancient Greek prose and verse, built from the human-annotated "
    "dependency treebanks of the language: normalised text, trees in one shared inventory, full provenance."
)

CITATION = (
    "Sphragis: authorship attribution of Ancient Greek from human-annotated treebanks (version {version}, "
    "edition {fingerprint}). Cite the treebanks of the rows you use as well: see LICENSES.md."
)


def feature(arrow: pa.DataType) -> Any:
    """Return a type as the YAML of a dataset card writes it.

    >>> feature(pa.list_(pa.list_(pa.int32())))
    {'list': {'list': 'int32'}}
    """
    if pa.types.is_list(arrow):
        inner = feature(arrow.value_type)
        return (
            {"list": inner["struct"] if set(inner) == {"struct"} else inner}
            if isinstance(inner, dict)
            else {"list": inner}
        )
    if pa.types.is_struct(arrow):
        return {"struct": [named_feature(member.name, member.type) for member in arrow]}
    return str(arrow)


def named_feature(name: str, arrow: pa.DataType) -> dict[str, Any]:
    """Return a column or member with its name."""
    made = feature(arrow)
    return {"name": name, **made} if isinstance(made, dict) else {"name": name, "dtype": made}


def front_matter(
    shapes: Mapping[str, tuple[bool, bool]], written: Sequence[Written], is_sample: bool
) -> dict[str, Any]:
    """Return the YAML of the card.

    Args:
        shapes: for each configuration, whether it is chunked and whether its track is held out.
        written: what was written, per split.
        is_sample: whether the input was the bundled sample.
    """
    configs, infos = [], []
    for name in sorted(shapes, key=order):
        mine = [split for split in written if split.configuration == name]
        chunked, held_out = shapes[name]
        configs.append(
            {
                "config_name": name,
                "data_files": [{"split": split.split, "path": split.path} for split in mine],
                **({"default": True} if name == DEFAULT else {}),
            }
        )
        infos.append(
            {
                "config_name": name,
                "features": [
                    named_feature(column.name, column.type)
                    for column in schema.columns_of(chunked=chunked, held_out=held_out)
                ],
                "splits": [
                    {"name": split.split, "num_bytes": split.memory, "num_examples": split.rows} for split in mine
                ],
                "download_size": sum(split.bytes for split in mine),
                "dataset_size": sum(split.memory for split in mine),
            }
        )
    rows_of_default = sum(split.rows for split in written if split.configuration == DEFAULT)
    return {
        "pretty_name": f"{NAME} (sample)" if is_sample else NAME,
        "language": ["grc"],
        "license": "other",
        "license_name": "cc-by-sa-and-cc-by-nc-sa-by-row",
        "license_link": "LICENSES.md",
        "task_categories": ["text-classification"],
        "multilinguality": ["monolingual"],
        "annotations_creators": ["expert-generated"],
        "source_datasets": ["original"],
        "size_categories": [size_category(rows_of_default)],
        "tags": sorted([*KEYWORDS, *(["sample"] if is_sample else [])]),
        "configs": configs,
        "dataset_info": infos,
    }


def size_category(count: int) -> str:
    """Return the Hub's name for a number of rows.

    >>> size_category(48_000)
    '10K<n<100K'
    """
    for bound, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")):
        if count < bound:
            return name
    return "1M<n<10M"


def order(configuration: str) -> tuple[bool, bool, str, int]:
    """Order of configurations for readers: the main track, the main held-out track, the others; by size."""
    track, _, size = configuration.rpartition("_")
    return (track != "sentence", track != "work_held_out", track, int(size))


def table(heads: Sequence[str], body: Iterable[Sequence[Any]]) -> list[str]:
    """Return a Markdown table; numbers with separators, missing values empty."""

    def cell(value: Any) -> str:
        if value is None:
            return ""
        return (
            f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).replace("|", "\\|")
        )

    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return [*lines, *(f"| {' | '.join(cell(value) for value in row)} |" for row in body), ""]


@dataclass
class Page:
    """The text of the card, section by section."""

    lines: list[str] = field(default_factory=list)

    def section(self, title: str, *paragraphs: str) -> None:
        """Begin a section with its paragraphs."""
        self.lines += [f"## {title}", ""]
        for paragraph in paragraphs:
            self.lines += [paragraph, ""]


@dataclass(frozen=True)
class Edition:
    """What the card is written from, beside the warehouse.

    Attributes:
        version: version of the distribution.
        fingerprint: first digits of the checksum over all data files.
        shapes: for each configuration, whether it is chunked and whether its track is held out.
        variables: thresholds of the rules, by name.
        parse: manifest of the machine layer, None without one.
        audits: name, checksum and main figures of each audit of the machine layer.
    """

    version: str
    fingerprint: str
    shapes: Mapping[str, tuple[bool, bool]]
    units: Units
    written: Sequence[Written]
    fates: Fates
    variables: Mapping[str, Any]
    parse: dict[str, Any] | None = None
    audits: Sequence[dict[str, Any]] = ()


def render(con: duckdb.DuckDBPyConnection, edition: Edition) -> str:
    """Return the whole card as text."""
    is_sample = input_kind(con) == "sample"
    front = yaml.safe_dump(
        front_matter(edition.shapes, edition.written, is_sample), sort_keys=False, allow_unicode=True, width=1000
    )
    page = Page()
    _opening(page, con, edition, is_sample)
    _configurations(page, con, edition)
    _authors(page, con)
    _held_out(page, con)
    _splits(page, con, edition)
    _columns(page, edition)
    _corpus(page, con, edition)
    _machine(page, con, edition)
    _licences(page, con, edition)
    _limits(page, con, edition)
    return f"---\n{front}---\n\n" + "\n".join(page.lines)


def _opening(page: Page, con: duckdb.DuckDBPyConnection, edition: Edition, is_sample: bool) -> None:
    """Title, what it is, how to load it."""
    page.lines += [f"# {NAME}{' (sample)' if is_sample else ''}", ""]
    if is_sample:
        page.lines += [
            "> **This is a sample.** It was built from sentences written and generated for tests, not from the "
            "treebanks: authors, works and texts in it mean nothing, and no score on it does. Projects, revisions and "
            "licences are those of the treebanks whose form it has.",
            "",
        ]
    tokens = len(edition.units.human.values.values)
    page.lines += [
        DESCRIPTION,
        "",
        f"This {'sample ' if is_sample else ''}edition has {len(edition.units.ids):,} distinct sentences with "
        f"{tokens:,} words, in {len(edition.shapes)} configurations. Its data has the fingerprint "
        f"`{edition.fingerprint}`; `SHA256SUMS` covers every file.",
        "",
        "```python",
        "from datasets import load_dataset",
        "",
        f'rows = load_dataset("path/to/this/folder", "{DEFAULT}")',
        'print(rows["train"][0]["author"], rows["train"][0]["text"])',
        "```",
        "",
        "The label is `author`. `text` has one string per sentence; join them as you like, the seams are yours. "
        "Train on `train`, choose models on `validation`, use `validation2` only to choose among combinations of "
        "models, and score on `test` once.",
        "",
    ]


def _configurations(page: Page, con: duckdb.DuckDBPyConnection, edition: Edition) -> None:
    """Write the table of configurations, and what was not built."""
    titles = {}
    if "seeds.tracks" in relations(con):
        titles = {row["track"]: row for row in rows(con, "select * from seeds.tracks order by track")}
    authors = {
        row["configuration"]: row["authors"]
        for row in rows(
            con,
            "select configuration, count(distinct author) as authors from hub.rows group by all order by all",
        )
    }
    page.section(
        "Configurations",
        "A configuration is a track and a size: the number of sentences in a row. The sizes of a track regroup "
        "exactly the same sentences.",
    )
    body = []
    for name in sorted(edition.shapes, key=order):
        counts = {split.split: split.rows for split in edition.written if split.configuration == name}
        body.append([f"`{name}`", authors[name], *(counts[split] for split in schema.SPLITS)])
    page.lines += table(["configuration", "authors", *schema.SPLITS], body)
    if titles:
        built = dict.fromkeys(name.rpartition("_")[0] for name in sorted(edition.shapes, key=order))
        page.lines += table(
            ["track", "what it is", "why"],
            [[f"`{name}`", titles[name]["title"], titles[name]["reason"]] for name in built if name in titles],
        )
    missing = rows(
        con,
        "select distinct track, reason from hub.configurations where not is_built order by track, reason",
    )
    if missing:
        page.lines += ["Not built:", ""]
        page.lines += table(["track", "reason"], [[f"`{row['track']}`", row["reason"]] for row in missing])


def _authors(page: Page, con: duckdb.DuckDBPyConnection) -> None:
    """Write the table of authors of the main track."""
    found = rows(
        con,
        """
        select
            hub.rows.author,
            count(*) as sentences,
            count(distinct sentences.canonical_work) as works,
            string_agg(distinct sentences.genre, ', ' order by sentences.genre) as genres,
            string_agg(distinct sentences.treebank_source, ', ' order by sentences.treebank_source) as projects,
            count(*) filter (hub.rows.split = 'train') as train,
            count(*) filter (hub.rows.split = 'validation') as validation,
            count(*) filter (hub.rows.split = 'validation2') as validation2,
            count(*) filter (hub.rows.split = 'test') as test
        from hub.rows
        inner join hub.sentences as sentences
            on hub.rows.id = sentences.id
        where hub.rows.configuration = ?
        group by hub.rows.author
        order by hub.rows.author
        """,
        DEFAULT,
    )
    page.section("Authors", f"Sentences of the main track (`{DEFAULT}`), per author.")
    page.lines += table(
        ["author", "sentences", *schema.SPLITS, "works", "genres", "projects"],
        [[row[key] for key in ("author", "sentences", *schema.SPLITS, "works", "genres", "projects")] for row in found],
    )


def _held_out(page: Page, con: duckdb.DuckDBPyConnection) -> None:
    """Write the held-out works of every held-out track, and the authors who have none."""
    found = rows(
        con,
        f"""
        select
            track,
            author,
            {", ".join(schema.HELD_OUT)},
            count(*) filter (split = 'test') as test,
            count(*) as sentences
        from hub.rows
        where held_out_work is not null and chunk_target_size = 1
        group by all
        order by track, author
        """,
    )
    if not found:
        return
    page.section(
        "Held-out works",
        "On these tracks the test split of an author is one whole work, annotated by a project that annotates "
        "training works of the author too. `rival`: another author of the track has a work of that genre; "
        "`singleton`: nobody has, so genre alone may give the author away. The unit of statistics is the work: give "
        "every score with an interval over works.",
    )
    for track in dict.fromkeys(row["track"] for row in found):
        page.lines += [f"`{track}`:", ""]
        page.lines += table(
            ["author", "test work", "genre", "group", "test rows", "validation work", "all rows"],
            [
                [
                    row["author"],
                    f"{row['held_out_work_title']} (`{row['held_out_work']}`)",
                    row["held_out_genre"],
                    row["held_out_group"],
                    row["test"],
                    f"{row['held_out_validation_work_title']} (`{row['held_out_validation_work']}`)"
                    if row["held_out_validation_work"]
                    else "drawn from the training works",
                    row["sentences"],
                ]
                for row in found
                if row["track"] == track
            ],
        )
    if "benchmark.authors_absent" in relations(con):
        absent = rows(con, "select * from benchmark.authors_absent order by track, author")
        if absent:
            page.lines += ["Authors who are not on a track:", ""]
            page.lines += table(
                ["track", "author", "reason"],
                [[f"`{row['track']}`", row["author"], row["reason"]] for row in absent],
            )


def _splits(page: Page, con: duckdb.DuckDBPyConnection, edition: Edition) -> None:
    """How the splits are made, with the thresholds of the rules."""
    value = edition.variables
    minima = ", ".join(f"{value.get(f'min_{split}_rows')} {split}" for split in schema.SPLITS)
    page.section(
        "How the splits are made",
        "Splits are made per author and work, in the order of the sha256 of seed, purpose and key of a sentence "
        f"(seed {value.get('benchmark_seed')}): nothing depends on the order of files or rows.",
        f"- **In-work tracks**: of the rows of a work, {_percent(value.get('validation_share'))} go to validation, "
        f"{_percent(value.get('validation2_share'))} to validation2, {_percent(value.get('test_share'))} to test, "
        "rounded half to even; the rest is train.\n"
        "- **Held-out tracks**: one whole work is the test, the one closest to "
        f"{_percent(value.get('held_out_test_target'))} of the author's rows; where the author has one to spare, a "
        "second work gives both validation splits, else they are drawn from the training works.\n"
        f"- Every count is cut to a multiple of {value.get('row_multiple')}; an author stays with at least {minima} "
        "rows.\n"
        "- **Matched tracks** have authors of one genre and period. The in-work ones repeat the main track's rows and "
        "splits; the held-out ones keep to one project.\n"
        "- **Chunks** follow the text: sentences stand in the order of the work, complete chunks of one work come "
        "first, the remaining tails are combined and marked by `chunk_is_mixed_work`.",
        "`metadata/dataset_variants.json` has every row with its constituents, and the rows that were cut.",
    )


def _percent(share: Any) -> str:
    """Return a share as a percentage without needless digits.

    >>> _percent("1/20"), _percent(None)
    ('5 %', '(not known)')
    """
    return "(not known)" if share is None else f"{float(Fraction(str(share))) * 100:g} %"


def _columns(page: Page, edition: Edition) -> None:
    """Write the table of columns."""
    where = {"all": "all", "chunk": "chunks", "held_out": "held-out tracks"}
    page.section(
        "Columns",
        "All nested values are real lists and structs. `sphragis conllu ID`, or `render_conllu` of "
        "`exports.conllu`, turns a unit back into CoNLL-U.",
    )
    page.lines += table(
        ["column", "type", "configurations", "meaning"],
        [
            [f"`{column.name}`", f"`{type_name(column.type)}`", where[column.family], column.description]
            for column in schema.COLUMNS
        ],
    )


def type_name(arrow: pa.DataType) -> str:
    """Return a type as people write it.

    >>> type_name(pa.list_(pa.struct([("id", pa.int32())])))
    'list<struct<id int32>>'
    """
    if pa.types.is_list(arrow):
        return f"list<{type_name(arrow.value_type)}>"
    if pa.types.is_struct(arrow):
        return f"struct<{', '.join(f'{member.name} {type_name(member.type)}' for member in arrow)}>"
    return str(arrow)


def _corpus(page: Page, con: duckdb.DuckDBPyConnection, edition: Edition) -> None:
    """Write what came in, what became of it, and the inventories of the trees."""
    found = edition.fates
    page.section(
        "From the treebanks to the rows",
        f"{found.supplied:,} sentences were read; every one has exactly one fate. "
        "`published` and `remainder` are about the main track: a sentence cut there to reach a multiple of ten can "
        "stand on a held-out track, which is cut by itself. `metadata/build_report.json` has the same per author and "
        "project, with examples.",
    )
    page.lines += table(["fate", "sentences"], sorted(found.by_fate.items(), key=lambda item: (-item[1], item[0])))
    absent = rows(con, "select project, path from raw.files where status = 'absent' order by project, path")
    if absent:
        page.lines += [
            "Files of the pinned revisions that this build did not have: "
            + ", ".join(f"`{row['project']}/{row['path']}`" for row in absent)
            + ".",
            "",
        ]
    page.section(
        "Trees",
        "Heads of the native projects are converted from the Prague convention to Universal Dependencies; then "
        "every project is reduced to one inventory, so that labels do not tell who annotated. `native_syntax` keeps "
        "what the project wrote.",
    )
    _inventory(page, con, "upos", "deprel", "feats")


def _inventory(page: Page, con: duckdb.DuckDBPyConnection, upos: str, deprel: str, feats: str) -> None:
    """Write the classes, relations and features that occur in a layer, by the columns of `hub.tokens` that hold it."""
    for head, column in (("upos", upos), ("deprel", deprel)):
        counts = rows(
            con, f"select {column} as value, count(*) as words from hub.tokens group by all order by words desc, value"
        )
        page.lines += table([head, "words"], [[f"`{row['value']}`", row["words"]] for row in counts])
    features = rows(
        con,
        f"""
        with pairs as (
            select unnest(string_split({feats}, '|')) as pair, words
            from (select {feats}, count(*) as words from hub.tokens where {feats} is not null group by {feats})
        )
        select
            split_part(pair, '=', 1) as feature,
            string_agg(distinct split_part(pair, '=', 2), ', ' order by split_part(pair, '=', 2)) as found,
            sum(words)::bigint as words
        from pairs
        group by all
        order by feature
        """,
    )
    page.lines += table(
        ["feature", "values", "words"], [[f"`{row['feature']}`", row["found"], row["words"]] for row in features]
    )


def _machine(page: Page, con: duckdb.DuckDBPyConnection, edition: Edition) -> None:
    """Write who parsed the machine layer, and how far it agrees with the human one."""
    if edition.parse is None:
        page.section(
            "The machine layer",
            "**This edition has no machine layer**: `conllu_machine` and `text_distorted` are empty lists.",
        )
        return
    parse = edition.parse
    named = ", ".join(f"{key} `{parse[key]}`" for key in ("provider", "model", "revision") if parse.get(key))
    folds = parse.get("folds", [])
    page.section(
        "The machine layer",
        "`conllu_machine` has every published sentence parsed by one parser over the published text, so that nothing "
        "in it is a difference between annotators. The lemmas are those of the human layer, and coordinators hang on "
        "the conjunct they introduce, as they do there. `text_distorted` is the text with every noun, proper noun, "
        "adjective and verb of this layer replaced by its class.",
        f"The parse: {named}; `metadata/machine_manifest.json` has all that is known of it. Its "
        f"`{machine.TREES_CHECKSUM}` is the sha256 of the trees as they are published: `render_conllu` of "
        "`conllu_machine` of every sentence of the one-sentence configurations, each once, in the order of the ids.",
        _what_occurs(con),
    )
    _inventory(page, con, "machine_upos", "machine_deprel", "machine_feats")
    if folds:
        page.lines += [
            f"It was learnt here in {len(folds)} folds of whole works: **no sentence is parsed by a model that has "
            "seen its work**, or a near-duplicate of the sentence. The models learn from the converted trees of the "
            "native projects only. `metadata/machine_folds.json` has the sentences that each fold parsed.",
            "",
        ]
        page.lines += table(
            ["fold", "works", "sentences", "words", "learns from sentences", "withheld from it"],
            [
                [
                    row["fold"],
                    len(row["works"]),
                    row["sentences"],
                    row["words"],
                    row["training_sentences"],
                    row["withheld_sentences"],
                ]
                for row in folds
            ],
        )
    found = machine.agreement(con, "all") | machine.agreement(con, "project")
    if found:
        page.lines += [
            "Agreement with the human layer, in per cent of words: same head (UAS), same head and relation of the "
            "published inventory (LAS), same class (UPOS) and features (FEATS) as far as the human layer publishes "
            "them. Sentences that were never annotated as a whole do not count. Agreement is not correctness: the "
            "annotators of two projects do not agree fully either.",
            "",
        ]
        page.lines += table(
            ["project", "words", *(measure.upper() for measure in machine.MEASURES)],
            [
                [
                    name if name == "all" else f"`{name}`",
                    row["tokens"],
                    *(f"{100 * row[measure]:.1f}" for measure in machine.MEASURES),
                ]
                for name, row in found.items()
            ],
        )
    if edition.audits:
        page.lines += [
            "Manual audits, sentences annotated afresh by hand: heads, relations without subtype, classes and features "
            "of the parse against each, in per cent. `metadata/machine_syntax_audit.json` has all figures"
            + (
                ", `metadata/machine_syntax_audit_agreement.json` how far the two audits agree with each other."
                if len(edition.audits) > 1
                else "."
            ),
            "",
        ]
        page.lines += table(
            ["audit", "sentences", "words", "UAS", "LAS", "UPOS", "FEATS (micro-F1)"],
            [
                [
                    f"`{row['name']}`",
                    row["sentences"],
                    row["tokens"],
                    *(
                        None if row[name] is None else f"{100 * row[name]:.1f}"
                        for name in ("uas", "las", "upos_accuracy", "feats_micro_f1")
                    ),
                ]
                for row in edition.audits
            ],
        )


def _what_occurs(con: duckdb.DuckDBPyConnection) -> str:
    """Say which classes, relations and features the machine layer has, and which the human one does not have."""
    human, parsed = (
        (
            _values(con, f"select distinct {layer}upos as value from hub.tokens"),
            _values(con, f"select distinct {layer}deprel as value from hub.tokens"),
            _values(
                con,
                "select distinct split_part(pair, '=', 1) || '=' || unnest(string_split(split_part(pair, '=', 2), ','))"
                f" as value from (select distinct unnest(string_split({layer}feats, '|')) as pair from hub.tokens)",
            ),
        )
        for layer in ("", "machine_")
    )
    bases = {relation.partition(":")[0] for relation in parsed[1]}
    subtypes = len([relation for relation in parsed[1] if ":" in relation])
    known = relations(con)
    universal = [
        f" of the {len(_values(con, f'select {column} as value from {seed}'))}" if seed in known else ""
        for seed, column in (("seeds.ud_upos", "upos"), ("seeds.ud_relations", "relation"))
    ]
    beyond = [
        f"{name} {', '.join(f'`{value}`' for value in sorted(mine - theirs))}"
        for name, mine, theirs in zip(
            ("classes", "relations", "features"), (parsed[0], bases, parsed[2]), human, strict=True
        )
        if mine - theirs
    ]
    others = f"Not in the human layer are the {'; the '.join(beyond)}." if beyond else "The human one has all of them."
    return (
        f"What occurs in it: {len(parsed[0])}{universal[0]} classes and {len(bases)}{universal[1]} relations of "
        f"Universal Dependencies, {subtypes or 'no'} subtype{'' if subtypes == 1 else 's'} of relations, "
        f"{len(parsed[2])} values of features. {others}"
    )


def _values(con: duckdb.DuckDBPyConnection, query: str) -> set[str]:
    """Return the column `value` of a query."""
    return {str(row["value"]) for row in rows(con, query) if row["value"] is not None}


def licence_counts(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Distinct published sentences under each licence."""
    found = rows(
        con,
        "select licence, count(*) as sentences from (select unnest(licenses) as licence from hub.sentences) "
        "group by all order by all",
    )
    return {row["licence"]: row["sentences"] for row in found}


def _licences(page: Page, con: duckdb.DuckDBPyConnection, edition: Edition) -> None:
    """Citation, licences and attribution."""
    page.section("Citation", citation(edition))
    page.section(
        "Licences and attribution",
        "A mixture of CC BY-SA and CC BY-NC-SA: **each row is under the licences in its column `licenses`**, and the "
        "dataset as a whole is for non-commercial use. See [LICENSES.md](LICENSES.md).",
    )
    page.lines += table(["licence", "sentences"], [[name, count] for name, count in licence_counts(con).items()])
    projects = rows(con, "select * from seeds.projects order by project")
    page.lines += table(
        ["project", "repository", "revision", "licence", "attribution"],
        [
            [
                f"`{row['project']}`",
                f"[{row['repository']}](https://github.com/{row['repository']})",
                f"`{row['revision'][:12]}`",
                row["licence"],
                row["attribution"],
            ]
            for row in projects
        ],
    )


def citation(edition: Edition) -> str:
    """How to cite this edition."""
    return CITATION.format(version=edition.version, fingerprint=edition.fingerprint)


def _limits(page: Page, con: duckdb.DuckDBPyConnection, edition: Edition) -> None:
    """Write what the dataset does not do."""
    value = edition.variables
    corpora = []
    if "seeds.authors" in relations(con):
        corpora = [
            row["author"] for row in rows(con, "select author from seeds.authors where kind = 'corpus' order by author")
        ]
    limits = [
        "Near-duplicates are found by shared word n-grams: at least "
        f"{value.get('near_duplicate_min_shared')} runs of {value.get('ngram_size')} words and "
        f"{_percent(value.get('near_duplicate_min_share'))} of either sentence (across authors "
        f"{value.get('quotation_min_shared')} runs and {_percent(value.get('quotation_min_share'))} of the smaller). "
        "Two short sentences that differ in one word or one ending share fewer, and can stand in train and in test: "
        "no rule here removes them. Sentences with equal letters never do.",
        "Repetitions inside one project are kept: they are the author's own formulae.",
        "Enhanced dependencies (DEPS), XPOS and MISC are not published. Where they exist they are in the UD releases "
        "named in `source_records`.",
        "The trees carry no punctuation and no elided nodes; `native_syntax` names the repair where a head was an "
        "elided node or a mark.",
        "On in-work tracks train and test come from the same works: topic and names help. Only the held-out tracks "
        "ask for style; quote both.",
        "Conversion removes the projects' categories, not their annotators' habits: what remains is measured, not "
        "assumed away.",
        "Text is normalised (lower case, no punctuation, one spelling of elision). It is not an edition: do not quote "
        "from it.",
    ]
    if corpora:
        limits.append(f"Labels of a corpus, without a claim about one poet: {', '.join(corpora)}.")
    page.section("Known limits", "\n".join(f"- {limit}" for limit in limits))
