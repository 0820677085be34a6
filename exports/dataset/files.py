"""The Parquet files: the units of each row taken a row group at a time and written with fixed settings.

The files have no metadata of a library (no pandas, Hugging Face or Arrow schema in the footer): any
Parquet reader of any version sees plain nested columns.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from exports.dataset import schema
from exports.dataset.arrays import list_offsets, nested, structs_of
from exports.dataset.plans import Plan
from exports.dataset.units import Units
from exports.warehouse import ExportError
from runtime.files import sha256
from runtime.progress import progress
from score.core.edition import is_held_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

NON_COMMERCIAL = "-NC"
"""What stands in the name of a licence that allows non-commercial use only."""


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
    commercial_rows: int = 0
    sha256: str = ""


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
        "text": nested(offsets, units.columns["text"].take(taken)),
        "text_distorted": nested(offsets, distorted.take(taken))
        if distorted is not None and machine is not None
        else nested(empty, pa.array([], pa.string())),
        "native_syntax": nested(offsets, units.native.take(taken)),
        "conllu_human": nested(offsets, units.human.take(taken)),
        "conllu_machine": nested(offsets, machine.take(taken))
        if machine is not None
        else pa.array([[]] * count, schema.TREES),
    }
    for name in schema.PROVENANCE:
        made[name] = _agreed(units, name, members, starts)
    made["passage_note"] = _notes(units, members, offsets)
    records = units.columns["source_records"].take(taken)
    made["source_records"] = nested(np.asarray(records.offsets)[offsets], records.values)

    row_of = np.repeat(np.arange(count), lengths)
    licenses = units.columns["licenses"].take(taken)
    names = licenses.flatten()
    of_row = np.repeat(row_of, np.diff(np.asarray(licenses.offsets)))
    values = sorted(set(names.to_pylist()))
    rank = {value: number for number, value in enumerate(values)}
    pairs = np.unique(np.stack([of_row, [rank[name] for name in names.to_pylist()]]), axis=1)
    made["licenses"] = nested(
        list_offsets(np.bincount(pairs[0], minlength=count)),
        pa.array([values[number] for number in pairs[1]], pa.string()),
    )

    if plan.size > 1:
        codes = units.codes["work_id"][members] * (units.codes["work"].max() + 2) + units.codes["work"][members]
        first = _distinct(row_of, codes)
        works = list_offsets(np.bincount(row_of[first], minlength=count))
        places = pa.array(members[first])
        made |= {
            "chunk_size": pa.array(lengths, pa.int32()),
            "chunk_target_size": pa.array(np.full(count, plan.size), pa.int32()),
            "chunk_is_mixed_work": plan.mixed[start:stop],
            "constituent_ids": nested(offsets, units.ids.take(taken)),
            "chunk_work_ids": nested(works, units.columns["work_id"].take(places)),
            "chunk_works": nested(works, units.columns["work"].take(places)),
            "constituent_provenance": nested(
                offsets,
                structs_of(
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
    published = schema.schema_of(chunked=plan.size > 1, held_out=is_held_out(plan.track))
    return pa.table({name: made[name] for name in published.names})


def _agreed(units: Units, name: str, members: NDArray[np.int64], starts: NDArray[np.int64]) -> pa.Array:
    """Return the value that all constituents of a row share, else null."""
    codes = units.codes[name][members]
    lengths = np.diff(np.append(starts, len(members)))
    same = np.logical_and.reduceat(codes == np.repeat(codes[starts], lengths), starts)
    return units.columns[name].take(pa.array(members[starts], mask=~same))


def _notes(units: Units, members: NDArray[np.int64], offsets: NDArray[np.int64]) -> pa.Array:
    """Return the notes of each row, each once, in the order of its sentences; null where no sentence has one."""
    found = units.columns["passage_note"].take(pa.array(members))
    notes: dict[int, dict[str, None]] = {}
    for place in np.flatnonzero(np.asarray(found.is_valid())):
        row = int(np.searchsorted(offsets, place, side="right")) - 1
        notes.setdefault(row, {})[found[place].as_py()] = None
    return pa.array(["; ".join(notes[row]) if row in notes else None for row in range(len(offsets) - 1)], pa.string())


def _distinct(rows: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions of the first occurrence of each code in each row, in order of appearance."""
    _, first = np.unique(np.stack([rows, codes]), axis=1, return_index=True)
    return np.sort(first)


def commercial_rows(licenses: pa.ListArray) -> int:
    """Return how many rows have no licence that forbids commercial use.

    >>> commercial_rows(pa.array([["CC BY-SA 4.0"], ["CC BY-SA 4.0", "CC BY-NC-SA 2.5"]]))
    1
    """
    import pyarrow.compute as pc

    forbids = pc.match_substring(pc.list_flatten(licenses), NON_COMMERCIAL)
    return len(licenses) - int(pc.count_distinct(pc.list_parent_indices(licenses).filter(forbids)).as_py())


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
            written.commercial_rows += commercial_rows(table["licenses"].combine_chunks())
            writer.write_table(table, row_group_size=schema.ROWS_PER_GROUP)
    written.bytes = target.stat().st_size
    written.sha256 = sha256(target)
    if written.largest_group > schema.ROW_GROUP_LIMIT:
        raise ExportError(
            f"{plan.path}: a row group has {written.largest_group} bytes of values, the Hub viewer reads "
            f"{schema.ROW_GROUP_LIMIT}: lower ROWS_PER_GROUP in exports/dataset/schema.py"
        )
    return written


def example_row(folder: Path, configuration: str) -> dict[str, Any] | None:
    """Return a row for people to look at: the first training row of four to six words, else the first of all.

    Args:
        folder: the dataset.
        configuration: whose rows; None is returned where it is not built.
    """
    path = folder / schema.data_file(configuration, "train")
    if not path.is_file():
        return None
    file = pq.ParquetFile(path)
    texts = file.read_row_group(0, columns=["text"]).column("text").to_pylist()
    words = [sum(len(sentence.split()) for sentence in text) for text in texts]
    place = next((place for place, count in enumerate(words) if 4 <= count <= 6), 0)
    found: dict[str, Any] = file.read_row_group(0).slice(place, 1).to_pylist()[0]
    return found


def write_dataset(
    units: Units,
    plans: list[Plan],
    folder: Path,
    threads: int = 2,
    quiet: bool = True,
) -> list[Written]:
    """Write every split of every configuration; the bytes do not depend on the number of threads.

    Args:
        units: the published sentences.
        plans: the splits.
        folder: the dataset folder that is being written.
        threads: splits that are written at a time.
        quiet: show no progress even on a terminal.
    """
    sizes = [int(units.bytes[plan.members].sum()) for plan in plans]

    def write(plan: Plan, size: int) -> Written:
        written = write_split(units, plan, folder)
        advance(size, plan.rows)
        return written

    with progress("dataset", sum(sizes), quiet) as advance, ThreadPoolExecutor(max_workers=threads) as pool:
        return list(pool.map(write, plans, sizes))
