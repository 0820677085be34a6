"""The shapes of what is read: columns of the raw tables, rejected rows, and the reading of one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from runtime.conllu import COLUMNS

if TYPE_CHECKING:
    import pyarrow as pa

# Attributes of <word> that are columns, in this order; every other attribute goes into the JSON of `attributes`.
WORD_ATTRIBUTES = (
    "id", "form", "lemma", "postag", "relation", "head",
    "artificial", "insertion_id", "cite", "ref", "sem", "gloss",
)  # fmt: skip
# The same for <sentence>; the attribute `Author` becomes the column `author`.
SENTENCE_ATTRIBUTES = ("id", "document_id", "subdoc", "span", "Author", "corrupt")
CONLLU_COLUMNS = COLUMNS
# Rows of the longest sentence that is read: the models number the tokens of a sentence in 16 bits (`token_key_factor`
# in dbt_project.yml is one more). The longest sentence of the treebanks has 208 rows.
MAX_SENTENCE_ROWS = 65_535

# Column names and types of the raw tables, by format and entity: "s" text, "i" 32-bit integer, "l" 64-bit
# integer, "L" list of texts. Every value of a source is text, as read; an absent attribute is null.
TABLES: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "native_xml": {
        "documents": (
            ("path", "s"), ("bytes", "l"), ("sha256", "s"), ("revision", "s"), ("language", "s"),
            ("title", "s"), ("author", "s"), ("annotators", "L"), ("attributes", "s"),
        ),
        "sentences": (
            ("path", "s"), ("position", "i"), ("line", "i"),
            *((name.lower(), "s") for name in SENTENCE_ATTRIBUTES),
            ("annotators", "L"), ("attributes", "s"),
        ),
        "tokens": (
            ("path", "s"), ("sentence_position", "i"), ("position", "i"), ("line", "i"),
            *((name, "s") for name in WORD_ATTRIBUTES), ("attributes", "s"),
        ),
    },
    "conllu": {
        "documents": (("path", "s"), ("bytes", "l"), ("sha256", "s"), ("revision", "s")),
        "sentences": (
            ("path", "s"), ("position", "i"), ("line", "i"), ("sent_id", "s"), ("source", "s"),
            ("text", "s"), ("newdoc_id", "s"), ("comments", "L"),
        ),
        "tokens": (
            ("path", "s"), ("sentence_position", "i"), ("position", "i"), ("line", "i"),
            *((name, "s") for name in CONLLU_COLUMNS),
        ),
    },
}  # fmt: skip


@dataclass(frozen=True)
class Metadata:
    """What a project says about one of its files elsewhere (``src/config.json``); used where the file is silent."""

    title: str | None = None
    author: str | None = None
    annotators: tuple[str, ...] = ()


@dataclass(frozen=True)
class DocumentFacts:
    """What is known of a file before it is parsed.

    Attributes:
        path: path inside the repository; first part of the key of every row.
        size: bytes of the file.
        sha256: checksum of the bytes.
        revision: commit the file belongs to, None when it is not known.
        metadata: what the project says about the file elsewhere.
    """

    path: str
    size: int
    sha256: str
    revision: str | None
    metadata: Metadata = Metadata()


@dataclass(frozen=True)
class Reject:
    """One finding of a reader, a row of ``raw.rejects``.

    ``rows_lost`` is the number of words or lines that did not reach the raw tables because of it; it is 0 for
    what is only reported (a repeated sent_id, a repeated token id, a file without any word), where what there is of
    rows was read.
    """

    scope: str
    line: int | None
    sentence: str | None
    sentence_position: int | None
    token: str | None
    expected: str
    found: str
    rows_lost: int


@dataclass
class Reading:
    """What one file gave: a batch of columns per raw table, the findings, and the accounting.

    ``is_read`` is false for a file that was rejected whole; then there is no batch.
    ``rows_in_file`` is counted apart from the rows: of XML the parser counts every word that ends, wherever it stands;
    of CoNLL-U the lines are counted on the bytes. It equals rows read + rows rejected.
    """

    tables: dict[str, pa.RecordBatch] = field(default_factory=dict)
    rejects: list[Reject] = field(default_factory=list)
    is_read: bool = True
    sentences: int = 0
    rows_in_file: int = 0
    rows_read: int = 0
    rows_rejected: int = 0


def unread(expected: str, found: str, line: int | None = None, rows: int = 0) -> Reading:
    """Return the reading of a file that is rejected whole, with the number of rows that it would have had."""
    lost = Reject("file", line, None, None, None, expected, found, rows)
    return Reading(rejects=[lost], is_read=False, rows_in_file=rows, rows_rejected=rows)


def nothing_found(what: str) -> Reject:
    """Return the finding that a file was read and has nothing in it."""
    return nothing_lost(what, "none in the whole file")


def nothing_lost(expected: str, found: str, line: int | None = None) -> Reject:
    """Return a finding about a whole file, or a folder, that costs no row."""
    return Reject("file", line, None, None, None, expected, found, 0)


def too_long(rows: int) -> tuple[str, str]:
    """Return what is expected and what is found of a sentence with more rows than are read."""
    return f"a sentence of at most {MAX_SENTENCE_ROWS:,} rows", f"{rows:,}"


def schema_of(format: str, entity: str) -> pa.Schema:
    """Return the Arrow schema of one raw table."""
    import pyarrow as pa

    types = {"s": pa.string(), "i": pa.int32(), "l": pa.int64(), "L": pa.list_(pa.string())}
    return pa.schema([(name, types[kind]) for name, kind in TABLES[format][entity]])


def batch_of(format: str, entity: str, columns: Sequence[Sequence[Any]]) -> pa.RecordBatch:
    """Hand columns of Python values over to Arrow in one step per column."""
    import pyarrow as pa

    schema = schema_of(format, entity)
    arrays = [pa.array(values, type=part.type) for values, part in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
