"""Nested rows from sorted columns, beside Python dictionaries and `Dataset.from_list(...).to_parquet`.

Both sides start from the same tables of the warehouse and write the same splits. Each run is a process of its own,
so that CPU seconds and memory are those of one side only; the rows of the two are compared value by value.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runtime.command import child
from score.core.edition import is_held_out

if TYPE_CHECKING:
    import duckdb

SIDES = ("columns", "dictionaries")
CONFIGURATIONS = ("sentence_1", "sentence_5", "sentence_10")


@dataclass(frozen=True)
class Run:
    """One measured run: CPU seconds of the process and its children, wall seconds, greatest memory in bytes."""

    cpu: float
    wall: float
    memory: int


def plain_rows(con: duckdb.DuckDBPyConnection, configurations: Sequence[str]) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield configuration, split and rows as Python dictionaries, ordered by id.

    This is what one writes first: read the tables, build a dictionary per token, sentence and row. It also serves as
    the reference of the tests.
    """
    from exports.dataset import schema
    from exports.warehouse import rows

    sentences = {row["id"]: row for row in rows(con, "select * from hub.sentences order by id")}
    human: dict[str, list[dict[str, Any]]] = {name: [] for name in sentences}
    native: dict[str, list[dict[str, Any]]] = {name: [] for name in sentences}
    machine: dict[str, list[dict[str, Any]]] = {name: [] for name in sentences}
    for token in rows(con, "select * from hub.tokens order by id, token"):
        human[token["id"]].append(
            {
                "id": token["token"],
                **{name: token[name] for name in ("form", "lemma", "upos", "feats", "head", "deprel")},
            }
        )
        if token.get("machine_head") is not None:
            machine[token["id"]].append(
                {
                    "id": token["token"],
                    **{name: token[name] for name in ("form", "lemma")},
                    **{name: token[f"machine_{name}"] for name in ("upos", "feats", "head", "deprel")},
                }
            )
    for token in rows(con, "select * from hub.native_tokens order by id, part"):
        native[token["id"]].append(
            {
                "sentence": 1,
                "head": token["native_head"],
                **{
                    name: token[name] for name in ("token", "source_token", "relation", "head_repair", "head_converted")
                },
            }
        )
    for configuration in configurations:
        found = rows(con, "select * from hub.rows where configuration = ? order by split, id", configuration)
        for split in schema.SPLITS:
            made = [
                _plain_row(row, [sentences[name] for name in row["constituent_ids"]], human, machine, native)
                for row in found
                if row["split"] == split
            ]
            yield configuration, split, made


def _plain_row(
    row: dict[str, Any],
    parts: list[dict[str, Any]],
    human: dict[str, list[dict[str, Any]]],
    machine: dict[str, list[dict[str, Any]]],
    native: dict[str, list[dict[str, Any]]],
) -> dict[str, Any]:
    """Return one published row as a dictionary."""
    from exports.dataset import schema

    def agreed(name: str) -> Any:
        values = [part[name] for part in parts]
        return values[0] if all(value == values[0] for value in values) else None

    works = list(dict.fromkeys((part["work_id"], part["work"]) for part in parts))
    made = {
        "id": row["id"],
        "author": row["author"],
        "text": [part["text"] for part in parts],
        "text_distorted": [part["text_distorted"] for part in parts if part.get("text_distorted") is not None],
        "split": row["split"],
        **{name: agreed(name) for name in schema.PROVENANCE},
        "passage_note": "; ".join(dict.fromkeys(part["passage_note"] for part in parts if part["passage_note"]))
        or None,
        "chunk_size": len(parts),
        "chunk_target_size": row["chunk_target_size"],
        "chunk_is_mixed_work": row["chunk_is_mixed_work"],
        **{name: row[name] for name in schema.HELD_OUT},
        "licenses": sorted({name for part in parts for name in part["licenses"]}),
        "constituent_ids": [part["id"] for part in parts],
        "chunk_work_ids": [work_id for work_id, _ in works],
        "chunk_works": [work for _, work in works],
        "constituent_provenance": [
            {name: part[name] for name in ("id", "treebank_source", "cts_urn", "passage")} for part in parts
        ],
        "source_records": [record for part in parts for record in part["source_records"]],
        "native_syntax": [native[part["id"]] for part in parts],
        "conllu_human": [[human[part["id"]]] for part in parts],
        "conllu_machine": [[machine[part["id"]]] for part in parts if machine[part["id"]]],
    }
    columns = schema.columns_of(
        chunked=row["chunk_target_size"] > 1, held_out=is_held_out(row["configuration"].rpartition("_")[0])
    )
    return {column.name: made[column.name] for column in columns}


def write_with_columns(warehouse: Path, configurations: Sequence[str], folder: Path) -> None:
    """Write the configurations as the export does."""
    from exports.dataset.files import write_dataset
    from exports.dataset.plans import load_plans
    from exports.dataset.units import load_units
    from exports.warehouse import open_read_only

    with open_read_only(warehouse) as con:
        units = load_units(con)
        plans = [plan for plan in load_plans(con, units) if plan.configuration in configurations]
        write_dataset(units, plans, folder)


def write_with_dictionaries(warehouse: Path, configurations: Sequence[str], folder: Path) -> None:
    """Write the configurations by Python dictionaries and the `datasets` library."""
    import datasets

    from exports.dataset import schema
    from exports.warehouse import open_read_only

    datasets.disable_progress_bars()
    with open_read_only(warehouse) as con:
        for configuration, split, made in plain_rows(con, configurations):
            track, _, size = configuration.rpartition("_")
            published = schema.schema_of(chunked=size != "1", held_out=is_held_out(track))
            path = folder / schema.data_file(configuration, split)
            path.parent.mkdir(parents=True, exist_ok=True)
            features = datasets.Features.from_arrow_schema(published)
            datasets.Dataset.from_list(made, features=features).to_parquet(str(path))


def run_once(side: str, warehouse: Path, configurations: Sequence[str], folder: Path) -> Run:
    """Run one side in a process of its own and measure it.

    Raises:
        RuntimeError: the process failed.
    """
    import time

    command = [sys.executable, "-m", "bench.export", side, str(warehouse), str(folder), *configurations]
    begin = time.monotonic()
    with child(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the side {side} ended with {process.returncode}")
    return Run(usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss * 1024)


def differences(left: Path, right: Path) -> list[str]:
    """Return the files of two folders whose rows are not equal, value by value."""
    import pyarrow.parquet as pq

    different = []
    for path in sorted(left.glob("data/*/*.parquet")):
        other = right / path.relative_to(left)
        mine = pq.ParquetFile(path)
        theirs = pq.ParquetFile(other)
        equal = mine.metadata.num_rows == theirs.metadata.num_rows
        ours, his = mine.iter_batches(500), theirs.iter_batches(500)
        while equal and (batch := next(ours, None)) is not None:
            equal = batch.to_pylist() == next(his).to_pylist()
        if not equal:
            different.append(path.relative_to(left).as_posix())
    return different


def _line(name: str, run: Run) -> str:
    """Return one line of the comparison."""
    return f"{name:<44}{run.cpu:>8.1f}{run.wall:>8.1f}{run.memory / 1e6:>11,.0f}"


def measure(warehouse: Path, configurations: Sequence[str] = CONFIGURATIONS, repeats: int = 3) -> str:
    """Measure both sides, medians of some runs, and return the comparison as text.

    Raises:
        ExportError: the warehouse does not have one of the configurations.
    """
    from exports.warehouse import ExportError, open_read_only, rows

    with open_read_only(warehouse) as con:
        built = [
            row["configuration"] for row in rows(con, "select configuration from hub.configurations where is_built")
        ]
    for name in configurations:
        if name not in built:
            raise ExportError(f"no configuration {name} in {warehouse}; there is: {', '.join(sorted(built))}")
    medians: dict[str, Run] = {}
    with tempfile.TemporaryDirectory() as place:
        for side in SIDES:
            runs = [run_once(side, warehouse, configurations, Path(place) / side) for _ in range(repeats)]
            medians[side] = Run(
                statistics.median(run.cpu for run in runs),
                statistics.median(run.wall for run in runs),
                int(statistics.median(run.memory for run in runs)),
            )
        different = differences(Path(place) / SIDES[0], Path(place) / SIDES[1])
    columns, dictionaries = (medians[side] for side in SIDES)
    lines = [
        f"configurations: {', '.join(configurations)}; medians of {repeats} runs",
        f"{'':<44}{'CPU s':>8}{'wall s':>8}{'memory MB':>11}",
        _line("sorted columns, ListArray.from_arrays", columns),
        _line("dictionaries, Dataset.from_list, to_parquet", dictionaries),
        f"{'times cheaper':<44}{dictionaries.cpu / columns.cpu:>8.1f}{dictionaries.wall / columns.wall:>8.1f}"
        f"{dictionaries.memory / columns.memory:>11.1f}",
        f"rows equal: {'yes' if not different else 'NO: ' + ', '.join(different)}",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    chosen, source, destination, *names = sys.argv[1:]
    write = write_with_columns if chosen == SIDES[0] else write_with_dictionaries
    write(Path(source), names, Path(destination))
