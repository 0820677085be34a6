"""The Parquet files of the dataset: every sentence nested once, then taken into each configuration.

Steps:

1. `load_units` reads the sentences and the tokens, both ordered by id, and builds the nested arrays of
   every sentence straight from the sorted columns: a list is an offset per sentence, nothing is copied
   row by row.
2. `load_plans` reads which rows a split of a configuration has and turns their constituents into
   positions in the sentence arrays.
3. `write_dataset` takes those positions, a row group at a time, and writes them with fixed settings.

The result has no metadata of a library (no pandas, Hugging Face or Arrow schema in the footer): any
Parquet reader of any version sees plain nested columns.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from exports import schema
from exports.warehouse import ExportError, columns

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb
    from numpy.typing import NDArray

NATIVE_FIELDS = ("source_token", "relation", "native_head", "head_repair", "head_converted")
FEW_VALUES = 2000
"""Distinct strings up to which a column is held as codes: all tags, features, labels, files and licences."""

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


@dataclass(frozen=True)
class Plan:
    """The rows of one split of one configuration, ordered by id.

    Attributes:
        members: positions of the constituents in `Units`, all rows one after the other.
        offsets: row i has the members `offsets[i]` to `offsets[i + 1]`.
    """

    configuration: str
    track: str
    size: int
    split: str
    ids: pa.Array
    authors: pa.Array
    members: NDArray[np.int64]
    offsets: NDArray[np.int64]
    mixed: pa.Array
    held_out: dict[str, pa.Array]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.ids)

    @property
    def path(self) -> str:
        """Path of the file inside the dataset folder."""
        return schema.data_file(self.configuration, self.split)


@dataclass
class Written:
    """What was written for one split: for the card, the report and the size check."""

    configuration: str
    split: str
    path: str
    rows: int
    bytes: int = 0
    memory: int = 0
    largest_row: int = 0
    largest_row_id: str = ""
    largest_group: int = 0
    authors: dict[str, int] = field(default_factory=dict)


def conform(array: pa.Array, to: pa.DataType) -> pa.Array:
    """Give an array exactly the published type: struct fields by name, list items called `element`."""
    if array.type == to:
        return array
    if pa.types.is_dictionary(array.type):
        return conform(array.dictionary_decode(), to)
    if pa.types.is_list(to):
        values = conform(array.values, to.value_type)
        mask = array.is_null() if array.null_count else None
        return pa.ListArray.from_arrays(array.offsets, values, type=to, mask=mask)
    if pa.types.is_struct(to):
        children = [conform(array.field(child.name), child.type) for child in to]
        mask = array.is_null() if array.null_count else None
        return pa.StructArray.from_arrays(children, fields=list(to), mask=mask)
    return array.cast(to)


def value_bytes(array: pa.Array) -> NDArray[np.int64]:
    """Bytes of the values of every entry, nested ones included, without offsets and validity bits.

    >>> value_bytes(pa.array([["ab", "c"], [], None])).tolist()
    [3, 0, 0]
    """
    if pa.types.is_list(array.type):
        offsets = np.asarray(array.offsets)
        inner = np.zeros(len(array.values) + 1, dtype=np.int64)
        np.cumsum(value_bytes(array.values), out=inner[1:])
        return np.asarray(inner[offsets[1:]] - inner[offsets[:-1]])
    total = np.zeros(len(array), dtype=np.int64)
    if pa.types.is_struct(array.type):
        for number in range(array.type.num_fields):
            total += value_bytes(array.field(number))
    elif pa.types.is_dictionary(array.type):
        lengths = np.append(value_bytes(array.dictionary), 0)  # a null has the code -1, the last entry
        total += lengths[np.asarray(array.indices.fill_null(-1))]
    elif pa.types.is_string(array.type):
        if len(array):
            offsets = np.frombuffer(array.buffers()[1], dtype=np.int32)
            total += np.diff(offsets[array.offset : array.offset + len(array) + 1])
    else:
        total += max(1, array.type.bit_width // 8)
    return total


def _arrow(con: duckdb.DuckDBPyConnection, query: str) -> pa.Table:
    """Return the result of a query as an Arrow table."""
    return con.sql(query).to_arrow_table()


def _columns(con: duckdb.DuckDBPyConnection, query: str) -> dict[str, pa.Array]:
    """Return the result of a query as one contiguous array per column; batches go as soon as they are joined."""
    table = con.sql(query).arrow().read_all()
    joined = {}
    for name in table.column_names:
        joined[name] = _single(table[name])
        table = table.drop_columns([name])
    return joined


def compact(array: pa.Array) -> pa.Array:
    """Hold strings with few distinct values as codes, inside lists and structs too.

    The Parquet files are the same plain strings; taking and writing codes costs half as much. What has many values
    stays as it is, because a dictionary goes into every row group whole.

    >>> compact(pa.array([["NOUN"], ["VERB", "NOUN"]])).type
    ListType(list<element: dictionary<values=string, indices=int32, ordered=0>>)
    """
    mask = array.is_null() if array.null_count else None
    if pa.types.is_list(array.type):
        values = compact(array.values)
        return pa.ListArray.from_arrays(array.offsets, values, type=schema._list(values.type), mask=mask)
    if pa.types.is_struct(array.type):
        children = [compact(array.field(number)) for number in range(array.type.num_fields)]
        fields = [pa.field(member.name, child.type) for member, child in zip(array.type, children, strict=True)]
        return pa.StructArray.from_arrays(children, fields=fields, mask=mask)
    if pa.types.is_string(array.type):
        coded = array.dictionary_encode()
        return coded if len(coded.dictionary) <= FEW_VALUES else array
    return array


def _single(column: pa.ChunkedArray) -> pa.Array:
    """One contiguous array of a column."""
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined


def _offsets(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Offsets of consecutive lists of the given lengths: [2, 3] -> [0, 2, 5]."""
    result = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=result[1:])
    return result


def _nest(offsets: NDArray[np.int64], values: pa.Array) -> pa.Array:
    """Return lists over `values`; the item is called `element`."""
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values, type=schema._list(values.type))


def _struct(children: list[pa.Array], published: pa.StructType) -> pa.Array:
    """Structs with the published names over children that may be held as codes."""
    fields = [pa.field(member.name, child.type) for member, child in zip(published, children, strict=True)]
    return pa.StructArray.from_arrays(children, fields=fields)


def _tree(ids: pa.Array, table: dict[str, pa.Array], names: tuple[str, ...], offsets: NDArray[np.int64]) -> pa.Array:
    """Units of one layer: list (unit) of list (its sentence) of token structs, one unit per sentence."""
    children = [ids] + [
        compact(conform(table[name], child.type)) for name, child in zip(names, list(schema.TOKEN)[1:], strict=True)
    ]
    tokens = _struct(children, schema.TOKEN)
    sentences = _nest(offsets, tokens)
    return _nest(np.arange(len(sentences) + 1), sentences)


def _native(tokens: dict[str, pa.Array], offsets: NDArray[np.int64]) -> pa.Array:
    """Native tokens of every sentence; tokens without an id of their own come from UD sources."""
    has_source = np.asarray(tokens["source_token"].is_valid())
    kept = pa.array(np.flatnonzero(has_source))
    ones = pa.array(np.ones(len(kept), dtype=np.int32))
    children = [ones] + [
        compact(conform(tokens[name].take(kept), child.type))
        for name, child in zip(("token", *NATIVE_FIELDS), list(schema.NATIVE)[1:], strict=True)
    ]
    structs = _struct(children, schema.NATIVE)
    before = np.concatenate([[0], np.cumsum(has_source)])
    return _nest(before[offsets], structs)


def _sentences(con: duckdb.DuckDBPyConnection, names: list[str]) -> dict[str, pa.Array]:
    """Columns of the sentences, ordered by id; `names` begins with `id`.

    Read like the tokens: as the table lies, a column at a time, and sorted only if it lies otherwise.
    """
    import pyarrow.compute as pc

    ids = _columns(con, "select id from hub.sentences")["id"]
    if not bool(pc.all(pc.less(ids.slice(0, max(len(ids) - 1, 0)), ids.slice(1)), min_count=0).as_py()):
        return _columns(con, f"select {', '.join(names)} from hub.sentences order by id")
    others = [name for name in names if name != "id"]
    return {"id": ids} | {name: _columns(con, f"select {name} from hub.sentences")[name] for name in others}


def _tokens(
    con: duckdb.DuckDBPyConnection, names: list[str], ids: pa.Array, counts: NDArray[np.int64]
) -> dict[str, pa.Array]:
    """Columns of the tokens, ordered by sentence and token.

    The table is stored in this order. Sorting it once more would cost twice the memory of everything else, so it is
    read as it lies, looked at, and sorted only if it lies otherwise.
    """
    import pyarrow.compute as pc

    # One column at a time: the scan is by column anyway, and only one is held twice while it is joined.
    numbers = _columns(con, "select token from hub.tokens")["token"]
    is_sorted = np.array_equal(np.asarray(numbers), _numbers(counts))
    if is_sorted:
        found = _columns(con, "select id from hub.tokens")["id"]
        expected = ids.take(pa.array(np.repeat(np.arange(len(ids)), counts)))
        is_sorted = bool(pc.all(pc.equal(found, expected)).as_py())
        del found, expected
    if not is_sorted:
        return _columns(con, f"select {', '.join(names)} from hub.tokens order by id, token")
    others = [name for name in names if name != "token"]
    return {"token": numbers} | {name: _columns(con, f"select {name} from hub.tokens")[name] for name in others}


def _numbers(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 1..n for every sentence, one after the other: [2, 3] -> [1, 2, 1, 2, 3]."""
    return np.arange(counts.sum()) - np.repeat(_offsets(counts)[:-1], counts) + 1


def load_units(con: duckdb.DuckDBPyConnection) -> Units:
    """Read the published sentences and nest their tokens once.

    Raises:
        ExportError: a sentence has no tokens, its tokens do not run 1..n, or the machine layer has gaps.
    """
    known = columns(con, "hub.sentences")
    scalars = [*schema.PROVENANCE, "text", "licenses", "source_records"]
    if "text_distorted" in known:
        scalars.append("text_distorted")
    sentences = _sentences(con, ["id", *scalars])
    types = {column.name: column.type for column in schema.COLUMNS}
    types |= {"text": pa.string(), "text_distorted": pa.string()}
    found = {name: compact(conform(sentences[name], types[name])) for name in scalars}
    ids = conform(sentences["id"], pa.string())

    has_machine = set(MACHINE_FIELDS) <= set(columns(con, "hub.tokens"))
    names = ["token", "form", "lemma", "upos", "feats", "head", "deprel", *NATIVE_FIELDS]
    names += MACHINE_FIELDS if has_machine else ()
    lengths = _columns(
        con,
        "select count(tokens.token) as words from hub.sentences left join hub.tokens using (id) "
        "group by id order by id",
    )
    counts = np.asarray(lengths["words"], dtype=np.int64)
    tokens = _tokens(con, names, ids, counts)
    offsets = _offsets(counts)
    numbers = tokens["token"].cast(pa.int32())
    expected = _numbers(counts)
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
    native = _native(tokens, offsets)
    del tokens
    codes = {name: _codes(found[name]) for name in schema.PROVENANCE}
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


def _codes(array: pa.Array) -> NDArray[np.int64]:
    """Return a number per value, -1 for null: equal values have equal numbers."""
    indices = array.dictionary_encode().indices
    return np.asarray(indices.cast(pa.int64()).fill_null(-1))


def load_plans(con: duckdb.DuckDBPyConnection, units: Units) -> list[Plan]:
    """Read the rows of every built configuration, ordered by configuration, split and id.

    Raises:
        ExportError: a row names a sentence that is not published, or a built split has no rows.
        ValueError: a name that the Hub could not load again.
    """
    import pyarrow.compute as pc

    built = con.execute(
        "select configuration, track, size from hub.configurations where is_built order by configuration"
    ).fetchall()
    schema.check_names([name for name, _, _ in built], schema.SPLITS)
    plans = []
    for name, track, size in built:
        held_out = ", ".join(schema.HELD_OUT)
        rows = _arrow(
            con,
            f"select split, id, author, constituent_ids, chunk_is_mixed_work, {held_out} "
            f"from hub.rows where configuration = '{name}' order by split, id",
        )
        splits = np.asarray(rows["split"])
        unknown = set(splits) - set(schema.SPLITS)
        if unknown:
            raise ExportError(f"configuration {name}: unknown splits {sorted(unknown)}")
        for split in schema.SPLITS:
            part = rows.filter(pa.array(splits == split)).combine_chunks()
            if not part.num_rows:
                raise ExportError(f"configuration {name}: split {split} has no rows, but it is marked as built")
            lists = conform(_single(part["constituent_ids"]), schema.STRINGS)
            if int(size) == 1:
                constituents, offsets = _single(part["id"]), np.arange(part.num_rows + 1)
            else:
                constituents, offsets = lists.flatten(), _offsets(np.diff(np.asarray(lists.offsets)))
            members = pc.index_in(constituents, value_set=units.ids)
            if members.null_count:
                lost = constituents.filter(members.is_null())[0].as_py()
                raise ExportError(f"configuration {name}: {lost} is not in hub.sentences")
            plans.append(
                Plan(
                    name,
                    track,
                    int(size),
                    split,
                    conform(_single(part["id"]), pa.string()),
                    conform(_single(part["author"]), pa.string()),
                    np.asarray(members.cast(pa.int64())),
                    offsets.astype(np.int64),
                    conform(_single(part["chunk_is_mixed_work"]), pa.bool_()),
                    {key: conform(_single(part[key]), pa.string()) for key in schema.HELD_OUT},
                )
            )
    return plans


def _agreed(units: Units, name: str, members: NDArray[np.int64], starts: NDArray[np.int64]) -> pa.Array:
    """Return the value that all constituents of a row share, else null."""
    codes = units.codes[name][members]
    lengths = np.diff(np.append(starts, len(members)))
    same = np.logical_and.reduceat(codes == np.repeat(codes[starts], lengths), starts)
    return units.columns[name].take(pa.array(members[starts], mask=~same))


def _distinct(rows: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions of the first occurrence of each code in each row, in order of appearance."""
    _, first = np.unique(np.stack([rows, codes]), axis=1, return_index=True)
    return np.sort(first)


def batch(units: Units, plan: Plan, start: int, stop: int) -> pa.Table:
    """Rows `start` to `stop` of a split, as they are published (strings with few values as codes)."""
    offsets = plan.offsets[start : stop + 1]
    members = plan.members[offsets[0] : offsets[-1]]
    offsets = offsets - offsets[0]
    starts, lengths = offsets[:-1], np.diff(offsets)
    taken = pa.array(members)
    count = len(starts)
    empty = np.zeros(count + 1, dtype=np.int64)
    distorted = units.columns.get("text_distorted")
    machine = units.machine

    made: dict[str, Any] = {
        "id": plan.ids[start:stop],
        "author": plan.authors[start:stop],
        "split": pa.array([plan.split] * count, pa.string()),
        "text": _nest(offsets, units.columns["text"].take(taken)),
        "text_distorted": _nest(offsets, distorted.take(taken))
        if distorted is not None and machine is not None
        else _nest(empty, pa.array([], pa.string())),
        "native_syntax": _nest(offsets, units.native.take(taken)),
        "conllu_human": _nest(offsets, units.human.take(taken)),
        "conllu_machine": _nest(offsets, machine.take(taken))
        if machine is not None
        else pa.array([[]] * count, schema.TREES),
    }
    for name in schema.PROVENANCE:
        made[name] = _agreed(units, name, members, starts)
    records = units.columns["source_records"].take(taken)
    made["source_records"] = _nest(np.asarray(records.offsets)[offsets], records.values)

    row_of = np.repeat(np.arange(count), lengths)
    licenses = units.columns["licenses"].take(taken)
    names = licenses.flatten()
    of_row = np.repeat(row_of, np.diff(np.asarray(licenses.offsets)))
    values = sorted(set(names.to_pylist()))
    rank = {value: number for number, value in enumerate(values)}
    pairs = np.unique(np.stack([of_row, [rank[name] for name in names.to_pylist()]]), axis=1)
    made["licenses"] = _nest(
        _offsets(np.bincount(pairs[0], minlength=count)),
        pa.array([values[number] for number in pairs[1]], pa.string()),
    )

    if plan.size > 1:
        codes = units.codes["work_id"][members] * (units.codes["work"].max() + 2) + units.codes["work"][members]
        first = _distinct(row_of, codes)
        works = _offsets(np.bincount(row_of[first], minlength=count))
        places = pa.array(members[first])
        made |= {
            "chunk_size": pa.array(lengths, pa.int32()),
            "chunk_target_size": pa.array(np.full(count, plan.size), pa.int32()),
            "chunk_is_mixed_work": plan.mixed[start:stop],
            "constituent_ids": _nest(offsets, units.ids.take(taken)),
            "chunk_work_ids": _nest(works, units.columns["work_id"].take(places)),
            "chunk_works": _nest(works, units.columns["work"].take(places)),
            "constituent_provenance": _nest(
                offsets,
                _struct(
                    [
                        units.ids.take(taken),
                        *(units.columns[name].take(taken) for name in ("treebank_source", "cts_urn", "passage")),
                    ],
                    schema.CONSTITUENT,
                ),
            ),
        }
    for name in schema.HELD_OUT:
        made[name] = plan.held_out[name][start:stop]
    published = schema.schema_of(chunked=plan.size > 1, held_out=schema.is_held_out(plan.track))
    return pa.table({name: made[name] for name in published.names})


def write_split(units: Units, plan: Plan, folder: Path) -> Written:
    """Write one split with the fixed settings and return its counts and sizes."""
    target = folder / plan.path
    target.parent.mkdir(parents=True, exist_ok=True)
    sizes = np.add.reduceat(units.bytes[plan.members], plan.offsets[:-1])
    largest = int(np.argmax(sizes))
    written = Written(plan.configuration, plan.split, plan.path, plan.rows)
    written.memory = int(sizes.sum())
    written.largest_row, written.largest_row_id = int(sizes[largest]), plan.ids[largest].as_py()
    written.largest_group = int(np.add.reduceat(sizes, np.arange(0, plan.rows, schema.ROWS_PER_GROUP)).max())
    first = batch(units, plan, 0, min(schema.ROWS_PER_GROUP, plan.rows))
    with pq.ParquetWriter(
        target,
        first.schema,
        version="2.6",
        compression=schema.COMPRESSION,
        compression_level=schema.COMPRESSION_LEVEL,
        use_dictionary=True,
        # Minimum and maximum help to find a row; of tags and trees nobody asks for them.
        write_statistics=["id", "author"],
        store_schema=False,
    ) as writer:
        for start in range(0, plan.rows, schema.ROWS_PER_GROUP):
            stop = min(start + schema.ROWS_PER_GROUP, plan.rows)
            table = batch(units, plan, start, stop) if start else first
            writer.write_table(table, row_group_size=schema.ROWS_PER_GROUP)
    written.bytes = target.stat().st_size
    if written.largest_group > schema.ROW_GROUP_LIMIT:
        raise ExportError(
            f"{plan.path}: a row group has {written.largest_group} bytes of values, the Hub viewer reads "
            f"{schema.ROW_GROUP_LIMIT}: lower ROWS_PER_GROUP in exports/schema.py"
        )
    return written


def write_dataset(
    units: Units,
    plans: list[Plan],
    folder: Path,
    threads: int = 2,
    advance: Callable[[int, int], None] = lambda size, rows: None,
) -> list[Written]:
    """Write every split of every configuration; the bytes do not depend on the number of threads.

    Args:
        units: the published sentences.
        plans: the splits.
        folder: the dataset folder that is being written.
        threads: splits that are written at a time.
        advance: told the size and the rows of each finished split.
    """

    def write(plan: Plan) -> Written:
        written = write_split(units, plan, folder)
        advance(plan_bytes(units, plan), plan.rows)
        return written

    with ThreadPoolExecutor(max_workers=threads) as pool:
        return list(pool.map(write, plans))


def plan_bytes(units: Units, plan: Plan) -> int:
    """Return the bytes of the values of all rows of a split."""
    return int(units.bytes[plan.members].sum())
