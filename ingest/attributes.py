"""How many words of each file have a form, a lemma, a tag, a head and a relation, and which files have too few.

The counts stand in ``raw.file_attributes``. A file that lacks one of them in more words than any file of the treebanks
does, or in clearly more words than at its pinned revision, is named in ``raw.rejects``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.readers.records import Reject, nothing_lost
from ingest.sources import ATTRIBUTES, Registry

if TYPE_CHECKING:
    import duckdb

# The columns of the raw tables, by format, in the order of ATTRIBUTES.
COLUMNS = {
    "native_xml": ("form", "lemma", "postag", "head", "relation"),
    "conllu": ("form", "lemma", "upos", "head", "deprel"),
}

# Percent of words that may lack an attribute before the file is named. In the 257 files of the pinned revisions at most
# 0.05 % lack a form, 1.3 % a head, 2.2 % a relation and 8.5 % a lemma or a tag (elliptic nodes and marks, mostly).
MISSING_PERCENT = {"form": 1, "lemma": 15, "tag": 15, "head": 5, "relation": 5}
# Points by which the share of words that have an attribute may fall below that of the pinned revision; as many percent
# of the words themselves may be gone. Corrections of a release change less.
FALL_POINTS = 5

_SHARE = "words with a "
_PINNED = "at the pinned revision"


@dataclass(frozen=True)
class FileAttributes:
    """The words of one file, and how many of them have each attribute, in the order of ATTRIBUTES."""

    project: str
    path: str
    words: int
    filled: tuple[int, ...]

    def rows(self) -> Iterator[tuple[str, str, str, int, int]]:
        """Return the rows of ``raw.file_attributes``."""
        for attribute, filled in zip(ATTRIBUTES, self.filled, strict=True):
            yield self.project, self.path, attribute, self.words, filled


def measure(connection: duckdb.DuckDBPyConnection, registry: Registry) -> list[FileAttributes]:
    """Count words and attributes of every file that is in the raw tables, in the order of projects and paths.

    A range and an empty node of CoNLL-U are no words; ``_`` is no value there, blanks are none in XML.
    """
    measured: list[FileAttributes] = []
    for project in registry.projects:
        is_ud = project.format == "conllu"
        filled = ", ".join(
            f"count(*) filter (where {column} <> '_')" if is_ud else f"count(*) filter (where trim({column}) <> '')"
            for column in COLUMNS[project.format]
        )
        words = "where not (contains(id, '-') or contains(id, '.'))" if is_ud else ""
        query = f"select path, count(*), {filled} from raw.{project.name}_tokens {words} group by path order by path"
        for path, count, *counts in connection.execute(query).fetchall():
            measured.append(FileAttributes(project.name, path, count, tuple(counts)))
    return measured


def findings_of(measured: Iterable[FileAttributes], registry: Registry) -> Iterator[tuple[str, str, Reject]]:
    """Name the files that lack an attribute in too many words: project, path, finding; one per file and attribute."""
    pins = {(pin.project, pin.path): pin for pin in registry.rates}
    for file in measured:
        pin = pins.get((file.project, file.path))
        if pin is not None and 100 * file.words < (100 - FALL_POINTS) * pin.words:
            expected = f"at least {100 - FALL_POINTS} % of the {pin.words:,} words {_PINNED}"
            yield file.project, file.path, nothing_lost(expected, f"{file.words:,}")
        for place, (attribute, filled) in enumerate(zip(ATTRIBUTES, file.filled, strict=True)):
            share = f"{_share(filled, file.words)} ({filled:,} of {file.words:,})"
            if pin is not None and _has_fallen(filled, file.words, pin.filled[place], pin.words):
                expected = f"{_share(pin.filled[place], pin.words)} of the {_SHARE}{attribute}, as {_PINNED}"
                yield file.project, file.path, nothing_lost(expected, share)
            elif 100 * (file.words - filled) > MISSING_PERCENT[attribute] * file.words:
                expected = f"at least {100 - MISSING_PERCENT[attribute]} % of the {_SHARE}{attribute}"
                yield file.project, file.path, nothing_lost(expected, share)


def is_derived(reject: Reject) -> bool:
    """Whether a finding is one of this module, which makes them anew in every run."""
    return reject.scope == "file" and reject.rows_lost == 0 and (_SHARE in reject.expected or is_fall(reject))


def is_fall(reject: Reject) -> bool:
    """Whether a finding says that a file has less than at its pinned revision."""
    return reject.scope == "file" and reject.expected.endswith(_PINNED)


def _has_fallen(filled: int, words: int, pinned_filled: int, pinned_words: int) -> bool:
    """Whether the share is more than the bound below the pinned one, in whole numbers."""
    return 100 * (pinned_filled * words - filled * pinned_words) > FALL_POINTS * pinned_words * words


def _share(filled: int, words: int) -> str:
    return f"{100 * filled / words:.1f} %"
