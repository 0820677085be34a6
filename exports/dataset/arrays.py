"""Arrow arrays of the published types: read from the warehouse, conformed, nested, held as codes, measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from exports.dataset import schema

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

FEW_VALUES = 2000
"""Distinct strings up to which a column is held as codes: all tags, features, labels, files and licences."""


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
        return pa.ListArray.from_arrays(array.offsets, values, type=schema.list_of(values.type), mask=mask)
    if pa.types.is_struct(array.type):
        children = [compact(array.field(number)) for number in range(array.type.num_fields)]
        fields = [pa.field(member.name, child.type) for member, child in zip(array.type, children, strict=True)]
        return pa.StructArray.from_arrays(children, fields=fields, mask=mask)
    if pa.types.is_string(array.type):
        coded = array.dictionary_encode()
        return coded if len(coded.dictionary) <= FEW_VALUES else array
    return array


def read_table(con: duckdb.DuckDBPyConnection, query: str) -> pa.Table:
    """Return the result of a query as an Arrow table."""
    return con.sql(query).to_arrow_table()


def read_columns(con: duckdb.DuckDBPyConnection, query: str) -> dict[str, pa.Array]:
    """Return the result of a query as one contiguous array per column; batches go as soon as they are joined."""
    table = con.sql(query).arrow().read_all()
    joined = {}
    for name in table.column_names:
        joined[name] = single(table[name])
        table = table.drop_columns([name])
    return joined


def single(column: pa.ChunkedArray) -> pa.Array:
    """One contiguous array of a column."""
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined


def list_offsets(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Offsets of consecutive lists of the given lengths: [2, 3] -> [0, 2, 5]."""
    result = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=result[1:])
    return result


def running_numbers(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 1..n for every sentence, one after the other: [2, 3] -> [1, 2, 1, 2, 3]."""
    return np.arange(counts.sum()) - np.repeat(list_offsets(counts)[:-1], counts) + 1


def nested(offsets: NDArray[np.int64], values: pa.Array) -> pa.Array:
    """Return lists over `values`; the item is called `element`."""
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values, type=schema.list_of(values.type))


def structs_of(children: list[pa.Array], published: pa.StructType) -> pa.Array:
    """Structs with the published names over children that may be held as codes."""
    fields = [pa.field(member.name, child.type) for member, child in zip(published, children, strict=True)]
    return pa.StructArray.from_arrays(children, fields=fields)
