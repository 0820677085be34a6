"""The published sentences of a dataset folder: their catalogue, and the machine layer of some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from exports.audit.reader import Trees, from_rows
from exports.warehouse import ExportError

MACHINE = "machine"
"""Name of the published machine layer where a file of a parse is expected."""

Tokens = Sequence[dict[str, Any]]


class NoMachineLayerError(ExportError):
    """The edition has no machine layer."""


class Published(NamedTuple):
    """A published sentence: its forms, and where it comes from."""

    id: str
    author: str
    work: str
    passage: str | None
    forms: tuple[str, ...]


def files(folder: Path) -> list[Path]:
    """Return the files with one sentence per row, those of the main track first: most sentences stand there.

    Raises:
        ExportError: there are none.
    """
    found = sorted((folder / "data").glob("*_1/*.parquet"), key=lambda path: (path.parent.name != "sentence_1", path))
    if not found:
        raise ExportError(f"{folder} has no data/<track>_1: it is no dataset folder")
    return found


def published(folder: Path) -> list[Published]:
    """Return every published sentence of every track once, ordered by id."""
    import pyarrow.parquet as pq

    sentences: dict[str, Published] = {}
    for path in files(folder):
        table = pq.read_table(path, columns=["id", "author", "work", "passage", "text"])
        for row in table.to_pylist():
            if row["id"] not in sentences:
                forms = tuple(row["text"][0].split(" "))
                sentences[row["id"]] = Published(row["id"], row["author"], row["work"], row["passage"], forms)
    return [sentences[name] for name in sorted(sentences)]


def machine_rows(folder: Path, wanted: Collection[str]) -> Iterator[tuple[str, Tokens]]:
    """Yield id and machine tokens of the wanted sentences that are published, each once.

    Raises:
        NoMachineLayerError: the edition has none.
    """
    import pyarrow.parquet as pq

    places = files(folder)
    some = next(pq.ParquetFile(places[0]).iter_batches(batch_size=1, columns=["conllu_machine"]), None)
    if some is None or not some.to_pylist()[0]["conllu_machine"]:
        raise NoMachineLayerError(f"{folder} has no machine layer: this edition cannot be audited")
    left = set(wanted)
    for path in places:
        if not left:
            return
        table = pq.read_table(path, columns=["id", "conllu_machine"], filters=[("id", "in", sorted(left))])
        for row in table.to_pylist():
            left.discard(row["id"])
            yield row["id"], row["conllu_machine"][0][0]


def machine_trees(folder: Path, wanted: Collection[str]) -> Trees:
    """Return the machine layer of the wanted sentences, as far as they are published.

    Raises:
        NoMachineLayerError: the edition has none.
    """
    return from_rows(MACHINE, machine_rows(folder, wanted))
