"""What a system may look at: the rows of a configuration, their texts and trees, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from score.core.edition import SPLITS, Edition
from score.core.faults import ScoreError

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Tokens:
    """The words of all rows, one after the other.

    Attributes:
        row: place of the row of each word.
        head: place of the head of each word among all words, -1 at the root.
        codes: for each column, the place of the word's value in `values`.
        values: for each column, its values; a missing one is "_".
    """

    row: NDArray[np.int64]
    head: NDArray[np.int64]
    codes: dict[str, NDArray[np.int64]]
    values: dict[str, list[str]]


class Material:
    """The rows of a configuration, of all splits, in the order of the files; columns are read when they are asked for.

    Attributes:
        configuration: its name.
        ids: ids of the rows.
        authors: their labels.
        split: their splits.
    """

    def __init__(self, edition: Edition, configuration: str) -> None:
        edition.check_configuration(configuration)
        self.edition = edition
        self.configuration = configuration
        self._kept: dict[str, Any] = {}
        self.ids: list[str] = self._column("id").to_pylist()
        self.authors = np.array(self._column("author").to_pylist())
        self.split = np.array(self._column("split").to_pylist())

    def _column(self, name: str) -> pa.Array:
        parts = []
        for split in SPLITS:
            for path in self.edition.files(self.configuration, split):
                parts += pq.read_table(self.edition.folder / path, columns=[name]).column(name).chunks
        return pa.concat_arrays(parts)

    def has(self, column: str) -> bool:
        """Return true when the column has anything: an edition may have no machine layer."""
        return bool(len(self._lists(column).values))

    def texts(self, column: str) -> list[str]:
        """Return a text per row, a sentence a line.

        Raises:
            ScoreError: the edition has none.
        """
        self._check(column)
        return ["\n".join(sentences) for sentences in self._lists(column).to_pylist()]

    def tokens(self, layer: str) -> Tokens:
        """Return the words of a layer.

        Raises:
            ScoreError: the edition does not have it.
        """
        if f"tokens {layer}" not in self._kept:
            self._check(layer)
            self._kept[f"tokens {layer}"] = _tokens(self._lists(layer))
        found: Tokens = self._kept[f"tokens {layer}"]
        return found

    def _lists(self, column: str) -> pa.ListArray:
        if column not in self._kept:
            self._kept[column] = self._column(column)
        return self._kept[column]

    def _check(self, column: str) -> None:
        if not self.has(column):
            raise ScoreError("baseline-input", f"this edition has no {column}: it was built without a machine layer")


def _tokens(rows: pa.ListArray) -> Tokens:
    units = rows.flatten()
    sentences = units.flatten()
    words = sentences.flatten()
    of_sentence = np.repeat(np.arange(len(sentences)), pc.list_value_length(sentences).to_numpy())
    of_unit = np.repeat(np.arange(len(units)), pc.list_value_length(units).to_numpy())
    of_row = np.repeat(np.arange(len(rows)), pc.list_value_length(rows).to_numpy())
    start = np.searchsorted(of_sentence, np.arange(len(sentences)))
    head = pc.struct_field(words, "head").to_numpy(zero_copy_only=False).astype(np.int64)
    codes, values = {}, {}
    for name in ("form", "lemma", "upos", "feats", "deprel"):
        coded = pc.dictionary_encode(pc.fill_null(pc.struct_field(words, name), "_"))
        codes[name] = coded.indices.to_numpy().astype(np.int64)
        values[name] = coded.dictionary.to_pylist()
    return Tokens(
        row=of_row[of_unit[of_sentence]],
        head=np.where(head == 0, -1, start[of_sentence] + head - 1),
        codes=codes,
        values=values,
    )
