"""The published schema: every column, its Arrow type, and what it means, in the order of the files.

This is the one place where the types of the dataset are written down. The Parquet files, the features
of the card and the Croissant description are all made from it, so they cannot disagree.

Columns belong to families: those of every configuration, those of chunked configurations (`_5`, `_10`)
and those of held-out tracks. Text columns come first because the Hub viewer shows the first columns;
the wide nested ones come last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable

Family = Literal["all", "chunk", "held_out"]

SPLITS = ("train", "validation", "validation2", "test")
"""The splits of every configuration, in the order in which people use them."""

ROWS_PER_GROUP = 1000
"""Rows in one Parquet row group, for every configuration.

The Hub viewer reads whole row groups and stops at about 100 MB uncompressed. With the machine layer a row
of ten sentences takes some 33 kB on the real input, the largest 104 kB, and the largest group of a
thousand rows 36 MB, a third of that bound (without the layer two thirds of all this); a row of one
sentence takes a tenth of it. The build report states the largest row and the largest row group.
"""

ROW_GROUP_LIMIT = 100_000_000
"""Bytes of values that no row group may reach; the export stops when one does."""

COMPRESSION = "zstd"
COMPRESSION_LEVEL = 3
"""Two thirds of the time of level 6 for files a twentieth larger; fixed, because the bytes depend on it."""


def list_of(of: pa.DataType) -> pa.ListType:
    """List type whose item is called `element`, the name that Parquet gives it when it is read back."""
    return pa.list_(pa.field("element", of))


TOKEN = pa.struct(
    [
        ("id", pa.int32()),
        ("form", pa.string()),
        ("lemma", pa.string()),
        ("upos", pa.string()),
        ("feats", pa.string()),
        ("head", pa.int32()),
        ("deprel", pa.string()),
    ]
)
"""One token of a tree, human or machine: both layers have this very type."""

NATIVE = pa.struct(
    [
        ("sentence", pa.int32()),
        ("token", pa.int32()),
        ("source_token", pa.string()),
        ("relation", pa.string()),
        ("head", pa.string()),
        ("head_repair", pa.string()),
        ("head_converted", pa.bool_()),
    ]
)
"""What the native project wrote for a source token; `sentence` counts inside its unit, from 1.

`token` is the published one that it is or, where annotators cut a word of the line, went into.
"""

RECORD = pa.struct(
    [
        ("project", pa.string()),
        ("path", pa.string()),
        ("sentence_id", pa.string()),
        ("document_id", pa.string()),
        ("revision", pa.string()),
        ("url", pa.string()),
        ("license", pa.string()),
        ("annotators", list_of(pa.string())),
        ("syntax_scheme", pa.string()),
    ]
)
"""One sentence of one source file that contributed to a row."""

CONSTITUENT = pa.struct(
    [
        ("id", pa.string()),
        ("treebank_source", pa.string()),
        ("cts_urn", pa.string()),
        ("passage", pa.string()),
    ]
)
"""Where one sentence of a chunk comes from."""

TREES = list_of(list_of(list_of(TOKEN)))
"""Units > sentences > tokens; every unit holds exactly one sentence."""


@dataclass(frozen=True)
class Column:
    """One published column: its name, type, the configurations that have it, and its meaning."""

    name: str
    type: pa.DataType
    family: Family
    description: str


STRING = pa.string()
STRINGS = list_of(pa.string())

COLUMNS: tuple[Column, ...] = (
    Column(
        "id",
        STRING,
        "all",
        "Stable identifier of the row, by which the rows of a file are ordered: `s-` and the first digits of the dedup "
        "key for one sentence, `c-` and the first digits of a sha256 over its `constituent_ids` for a chunk. It says "
        "nothing else, and the same sentences have it wherever they stand together.",
    ),
    Column("author", STRING, "all", "The label: author, or corpus for the two Homeric epics."),
    Column("text", STRINGS, "all", "The published text, one string per sentence."),
    Column(
        "text_distorted",
        STRINGS,
        "all",
        "The text with every noun, proper noun, adjective and verb of the machine layer replaced by its "
        "tag, word by word; an empty list when the edition has no machine layer.",
    ),
    Column("work", STRING, "all", "Title of the work; null when the sentences of a chunk differ."),
    Column(
        "work_id",
        STRING,
        "all",
        "Identifier at file level; null when the sentences of a chunk differ.",
    ),
    Column(
        "canonical_work",
        STRING,
        "all",
        "The work that the file belongs to; splits and chunks go by it. Null in a chunk of several works.",
    ),
    Column("genre", STRING, "all", "Literary genre of the work; null when the sentences of a chunk differ."),
    Column("split", STRING, "all", "train, validation, validation2 or test."),
    Column("cts_urn", STRING, "all", "CTS URN where the source gives one."),
    Column("passage", STRING, "all", "Passage in the work where the source gives one."),
    Column(
        "passage_note",
        STRING,
        "all",
        "The passage of disputed authenticity inside its work that a sentence of the row is of; several are "
        "joined by `; `. Null else.",
    ),
    Column(
        "treebank_source",
        STRING,
        "all",
        "Project whose copy of the sentence is published; null when the sentences of a chunk differ.",
    ),
    Column(
        "dedup_key",
        STRING,
        "all",
        "sha256 of the letters of the sentence, without diacritics and blanks; null on chunks.",
    ),
    Column("chunk_size", pa.int32(), "chunk", "Sentences in the row."),
    Column("chunk_target_size", pa.int32(), "chunk", "Sentences that a row of this configuration is made of."),
    Column("chunk_is_mixed_work", pa.bool_(), "chunk", "True when the sentences come from several works."),
    Column("held_out_work", STRING, "held_out", "Canonical work that is the author's test split."),
    Column("held_out_work_title", STRING, "held_out", "Title of the test work."),
    Column(
        "held_out_validation_work",
        STRING,
        "held_out",
        "Canonical work that gives the author's validation splits; null when they are drawn from the training works.",
    ),
    Column("held_out_validation_work_title", STRING, "held_out", "Title of the validation work."),
    Column("held_out_genre", STRING, "held_out", "Genre of the test work."),
    Column(
        "held_out_group",
        STRING,
        "held_out",
        "rival when another author of the track has a work of that genre, else singleton.",
    ),
    Column("licenses", STRINGS, "all", "Every licence that the row is under, sorted."),
    Column("constituent_ids", STRINGS, "chunk", "The ids of the one-sentence rows, in order."),
    Column("chunk_work_ids", STRINGS, "chunk", "File-level works of the chunk, in order of first appearance."),
    Column("chunk_works", STRINGS, "chunk", "Titles to `chunk_work_ids`, of equal length."),
    Column(
        "constituent_provenance",
        list_of(CONSTITUENT),
        "chunk",
        "Project, URN and passage of every sentence of the chunk, in order.",
    ),
    Column(
        "source_records",
        list_of(RECORD),
        "all",
        "Every source sentence that contributed, exact duplicates included; in a chunk, one after the "
        "other in the order of the sentences.",
    ),
    Column(
        "native_syntax",
        list_of(list_of(NATIVE)),
        "all",
        "Per sentence, what the native project wrote for each source token, with the token that it is or, where "
        "annotators cut a word of the line, went into; an empty list for UD sources.",
    ),
    Column(
        "conllu_human",
        TREES,
        "all",
        "Human annotation: units > sentences > tokens, heads converted to Universal Dependencies, "
        "relations and features in the shared inventory.",
    ),
    Column(
        "conllu_machine",
        TREES,
        "all",
        "The same sentences parsed by one parser, of the same type: classes, relations (perhaps with subtypes) and "
        "features of Universal Dependencies, as many of them as the parser gives; lemmas are those of the human layer. "
        "An empty list when the edition has no machine layer.",
    ),
)

PROVENANCE = ("work", "work_id", "canonical_work", "genre", "cts_urn", "passage", "treebank_source", "dedup_key")
"""Scalar columns that a chunk keeps only when all its sentences agree."""

HELD_OUT = tuple(column.name for column in COLUMNS if column.family == "held_out")


def columns_of(*, chunked: bool, held_out: bool) -> list[Column]:
    """Columns of a configuration, in the order of its files."""
    families: set[Family] = {"all"}
    if chunked:
        families.add("chunk")
    if held_out:
        families.add("held_out")
    return [column for column in COLUMNS if column.family in families]


def schema_of(*, chunked: bool, held_out: bool) -> pa.Schema:
    """Arrow schema of a configuration.

    >>> schema_of(chunked=False, held_out=False).names[:3]
    ['id', 'author', 'text']
    """
    return pa.schema([(column.name, column.type) for column in columns_of(chunked=chunked, held_out=held_out)])


def check_names(configurations: Iterable[str], splits: Iterable[str]) -> None:
    r"""Refuse names that can be written but not loaded again.

    A split matches `\w+(\.\w+)*`; a configuration has Latin letters, digits and `_` only.

    >>> check_names(["sentence_1"], ["train"])
    >>> check_names(["a/b"], ["train"])
    Traceback (most recent call last):
    ...
    ValueError: configuration 'a/b' cannot be loaded: use the letters A-Z and a-z, digits and _ only
    """
    for name in configurations:
        if not re.fullmatch(r"[A-Za-z0-9_]+", name):
            raise ValueError(f"configuration {name!r} cannot be loaded: use the letters A-Z and a-z, digits and _ only")
    for name in splits:
        if not re.fullmatch(r"\w+(\.\w+)*", name):
            raise ValueError(f"split {name!r} cannot be loaded: it must match \\w+(\\.\\w+)*")


def data_file(configuration: str, split: str) -> str:
    """Path of a split inside the dataset folder, by the Hub's convention for one shard."""
    return f"data/{configuration}/{split}-00000-of-00001.parquet"
