"""Every published sentence, nested once: its tokens as lists of structs, straight from the sorted columns.

A list is an offset per sentence; nothing is copied row by row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from exports.dataset import schema
from exports.dataset.arrays import (
    compact,
    conform,
    list_offsets,
    nested,
    read_columns,
    running_numbers,
    structs_of,
    value_bytes,
)
from exports.warehouse import ExportError, columns

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

NATIVE_FIELDS = ("token", "source_token", "relation", "native_head", "head_repair", "head_converted")
MACHINE_FIELDS = ("machine_upos", "machine_feats", "machine_head", "machine_deprel")


@dataclass(frozen=True)
class Units:
    """Everything about the published sentences, one entry per sentence, ordered by id.

    Attributes:
        ids: the ids, sorted.
        columns: scalar columns, `text` as one string per sentence, `licenses`, `source_records`.
        human: list<list<token>> per sentence: the unit, which holds one sentence.
        native: list<native token> per sentence, empty for UD sources.
        machine: as `human`, or None when the warehouse has no machine layer.
        codes: for each provenance column a number per sentence, equal when the values are equal.
        bytes: size of the values of each sentence, for the size of rows.
    """

    ids: pa.Array
    columns: dict[str, pa.Array]
    human: pa.Array
    native: pa.Array
    machine: pa.Array | None
    codes: dict[str, NDArray[np.int64]]
    bytes: NDArray[np.int64]

    @property
    def has_machine(self) -> bool:
        """True when the edition has a machine layer."""
        return self.machine is not None


def _tree(ids: pa.Array, table: dict[str, pa.Array], names: tuple[str, ...], offsets: NDArray[np.int64]) -> pa.Array:
    """Units of one layer: list (unit) of list (its sentence) of token structs, one unit per sentence."""
    children = [ids] + [
        compact(conform(table[name], child.type)) for name, child in zip(names, list(schema.TOKEN)[1:], strict=True)
    ]
    tokens = structs_of(children, schema.TOKEN)
    sentences = nested(offsets, tokens)
    return nested(np.arange(len(sentences) + 1), sentences)


def _native(con: duckdb.DuckDBPyConnection, ids: pa.Array) -> pa.Array:
    """Native tokens of every sentence, in the order of the ids; none for sentences of UD sources."""
    found = read_columns(con, "select id from hub.native_tokens order by id, part")["id"]
    counts = np.bincount(np.asarray(pc.index_in(found, value_set=ids)), minlength=len(ids))
    tokens = read_columns(con, f"select {', '.join(NATIVE_FIELDS)} from hub.native_tokens order by id, part")
    children = [pa.array(np.ones(len(found), dtype=np.int32))] + [
        compact(conform(tokens[name], child.type))
        for name, child in zip(NATIVE_FIELDS, list(schema.NATIVE)[1:], strict=True)
    ]
    return nested(list_offsets(counts), structs_of(children, schema.NATIVE))


def _sentences(con: duckdb.DuckDBPyConnection, names: list[str]) -> dict[str, pa.Array]:
    """Columns of the sentences, ordered by id; `names` begins with `id`.

    Read like the tokens: as the table lies, a column at a time, and sorted only if it lies otherwise.
    """
    ids = read_columns(con, "select id from hub.sentences")["id"]
    if not bool(pc.all(pc.less(ids.slice(0, max(len(ids) - 1, 0)), ids.slice(1)), min_count=0).as_py()):
        return read_columns(con, f"select {', '.join(names)} from hub.sentences order by id")
    others = [name for name in names if name != "id"]
    return {"id": ids} | {name: read_columns(con, f"select {name} from hub.sentences")[name] for name in others}


def _tokens(
    con: duckdb.DuckDBPyConnection, names: list[str], ids: pa.Array, counts: NDArray[np.int64]
) -> dict[str, pa.Array]:
    """Columns of the tokens, ordered by sentence and token.

    The table is stored in this order. Sorting it once more would cost twice the memory of everything else, so it is
    read as it lies, looked at, and sorted only if it lies otherwise.
    """
    # One column at a time: the scan is by column anyway, and only one is held twice while it is joined.
    numbers = read_columns(con, "select token from hub.tokens")["token"]
    is_sorted = np.array_equal(np.asarray(numbers), running_numbers(counts))
    if is_sorted:
        found = read_columns(con, "select id from hub.tokens")["id"]
        expected = ids.take(pa.array(np.repeat(np.arange(len(ids)), counts)))
        is_sorted = bool(pc.all(pc.equal(found, expected)).as_py())
        del found, expected
    if not is_sorted:
        return read_columns(con, f"select {', '.join(names)} from hub.tokens order by id, token")
    others = [name for name in names if name != "token"]
    return {"token": numbers} | {name: read_columns(con, f"select {name} from hub.tokens")[name] for name in others}


def load_units(con: duckdb.DuckDBPyConnection) -> Units:
    """Read the published sentences and nest their tokens once.

    Raises:
        ExportError: a sentence has no tokens, its tokens do not run 1..n, or the machine layer has gaps.
    """
    known = columns(con, "hub.sentences")
    scalars = [*schema.PROVENANCE, "passage_note", "text", "licenses", "source_records"]
    if "text_distorted" in known:
        scalars.append("text_distorted")
    sentences = _sentences(con, ["id", *scalars])
    types = {column.name: column.type for column in schema.COLUMNS}
    types |= {"text": pa.string(), "text_distorted": pa.string()}
    found = {name: compact(conform(sentences[name], types[name])) for name in scalars}
    ids = conform(sentences["id"], pa.string())

    has_machine = set(MACHINE_FIELDS) <= set(columns(con, "hub.tokens"))
    names = ["token", "form", "lemma", "upos", "feats", "head", "deprel"]
    names += MACHINE_FIELDS if has_machine else ()
    lengths = read_columns(
        con,
        "select count(tokens.token) as words from hub.sentences left join hub.tokens using (id) "
        "group by id order by id",
    )
    counts = np.asarray(lengths["words"], dtype=np.int64)
    tokens = _tokens(con, names, ids, counts)
    offsets = list_offsets(counts)
    numbers = tokens["token"].cast(pa.int32())
    expected = running_numbers(counts)
    if offsets[-1] != len(numbers) or (counts == 0).any():
        empty = [ids[int(i)].as_py() for i in np.flatnonzero(counts == 0)[:3]]
        raise ExportError(
            f"hub.tokens has {len(numbers)} rows, {int(offsets[-1])} of them belong to hub.sentences; "
            f"sentences without tokens: {empty or 'none'}"
        )
    if not np.array_equal(np.asarray(numbers), expected):
        wrong = int(np.flatnonzero(np.asarray(numbers) != expected)[0])
        sentence = ids[int(np.searchsorted(offsets, wrong, side="right")) - 1].as_py()
        raise ExportError(f"sentence {sentence}: tokens do not run 1..n in hub.tokens")

    machine = None
    if has_machine and _is_parsed(tokens, found.get("text_distorted")):
        machine = _tree(numbers, tokens, ("form", "lemma", *MACHINE_FIELDS), offsets)
    human = _tree(numbers, tokens, ("form", "lemma", "upos", "feats", "head", "deprel"), offsets)
    del tokens
    native = _native(con, ids)
    codes = {name: codes_of(found[name]) for name in schema.PROVENANCE}
    layers = [*found.values(), human, native, *([machine] if machine is not None else [])]
    sizes = np.zeros(len(ids), dtype=np.int64)
    for layer in layers:
        sizes += value_bytes(layer)
    return Units(ids, found, human, native, machine, codes, sizes)


def _is_parsed(tokens: dict[str, pa.Array], distorted: pa.Array | None) -> bool:
    """Return True when every token is parsed and every sentence has its distorted text, False when none is and has.

    Raises:
        ExportError: some are and some are not.
    """
    counts: dict[str, int] = {name: tokens[name].null_count for name in MACHINE_FIELDS if name != "machine_feats"}
    total = len(tokens["token"])
    worst = max(counts, key=lambda name: counts[name])
    if set(counts.values()) not in ({0}, {total}):
        raise ExportError(f"the machine layer lacks {worst} of {counts[worst]} of {total} published tokens")
    is_parsed = counts[worst] < total
    expected = 0 if is_parsed or distorted is None else len(distorted)
    missing = 0 if distorted is None else distorted.null_count
    if missing != expected or (is_parsed and distorted is None):
        raise ExportError(
            f"hub.sentences has {'no column' if distorted is None else f'{missing} rows without'} text_distorted, but "
            f"the tokens {'have a' if is_parsed else 'have no'} machine layer"
        )
    return is_parsed


def codes_of(array: pa.Array) -> NDArray[np.int64]:
    """Return a number per value, -1 for null: equal values have equal numbers."""
    indices = array.dictionary_encode().indices
    return np.asarray(indices.cast(pa.int64()).fill_null(-1))
