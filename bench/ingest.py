"""Measure the readers beside the libraries that a user would pick, on the same files, in one run.

Each measurement is a process of its own, so that peak memory and CPU seconds are those of one reader; CPU seconds
and peak memory include its worker processes. Of several runs the median counts.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ingest.fetch import find_source
from ingest.raw import find_files
from ingest.readers.reading import Task, read_files
from ingest.readers.records import CONLLU_COLUMNS, WORD_ATTRIBUTES
from ingest.sources import load_registry
from runtime.command import starting_workers
from runtime.errors import IngestError
from runtime.lean import without_pandas
from runtime.settings import Settings

CONLLU_PASSES = 4


@dataclass(frozen=True)
class Measurement:
    """One run of one reader: wall and CPU seconds, peak memory in MB (with workers), rows read."""

    wall: float
    cpu: float
    memory: float
    rows: int


def measure(settings: Settings, workers: int | None = None, repeats: int = 3) -> str:
    """Run every reader ``repeats`` times and return a table of medians and ratios.

    Raises:
        IngestError: no input, or the peers of the comparison are not installed.
    """
    source = find_source(settings, load_registry())
    tasks = find_files(source, load_registry()).tasks
    cores = workers or os.cpu_count() or 1
    xml = [task for task in tasks if task.format == "native_xml"]
    conllu = [task for task in tasks if task.format == "conllu"]
    # Little data: several passes, so that a reading of tenths of a second can be measured.
    passes = CONLLU_PASSES * conllu
    stages: list[tuple[str, str, Callable[..., int], tuple[Any, ...]]] = [
        (f"{CONLLU_PASSES} x CoNLL-U -> Arrow", "conllu.parse_incr", conllu_with_library, (passes, False)),
        (f"{CONLLU_PASSES} x CoNLL-U -> Arrow", "the same, plain fields", conllu_with_library, (passes, True)),
        (f"{CONLLU_PASSES} x CoNLL-U -> Arrow", "ingest, one process", with_readers, (passes, 1)),
        ("XML -> Arrow", "ElementTree.iterparse", xml_with_elementtree, (xml,)),
        ("XML -> Arrow", "ingest, one process", with_readers, (xml, 1)),
        ("XML -> Arrow", f"ingest, {cores} workers", with_readers, (xml, cores)),
        ("all files -> DuckDB", "the two libraries", both_to_database, (conllu, xml)),
        ("all files -> DuckDB", f"ingest, {cores} workers", with_run, (settings, cores)),
    ]
    results: dict[tuple[str, str], list[Measurement]] = {}
    for _ in range(repeats):
        # Rounds, not blocks: a slow minute of the machine hits every reader.
        for stage, reader, function, arguments in stages:
            results.setdefault((stage, reader), []).append(in_process(function, arguments))
    return table(results, len(tasks), sum(task.size for task in tasks), repeats)


def table(results: dict[tuple[str, str], list[Measurement]], files: int, size: int, repeats: int) -> str:
    """Return the medians as text; the ratios compare with the first reader of the stage."""
    lines = [
        f"{files} files, {size / 1e6:.1f} MB; medians of {repeats}; CPU and memory with worker processes",
        f"{'stage':<22}{'reader':<24}{'rows':>11}"
        f"{'wall s':>9}{'CPU s':>9}{'MB':>8}{'wall x':>9}{'CPU x':>9}{'MB x':>8}",
    ]
    first: dict[str, Measurement] = {}
    for (stage, reader), runs in results.items():
        median = Measurement(
            statistics.median(run.wall for run in runs),
            statistics.median(run.cpu for run in runs),
            statistics.median(run.memory for run in runs),
            runs[0].rows,
        )
        base = first.setdefault(stage, median)
        ratios = (base.wall / median.wall, base.cpu / median.cpu, median.memory / base.memory)
        lines.append(
            f"{stage:<22}{reader:<24}{median.rows:>11,}{median.wall:>9.2f}{median.cpu:>9.2f}{median.memory:>8.0f}"
            f"{ratios[0]:>9.2f}{ratios[1]:>9.2f}{ratios[2]:>8.2f}"
        )
    lines.append("wall x and CPU x: how many times as fast as the first of the stage; MB x: share of its memory")
    return "\n".join(lines)


def in_process(function: Callable[..., int], arguments: tuple[Any, ...]) -> Measurement:
    """Run a function in a fresh process and return what it took."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_measured, args=(sender, function, arguments))
    with starting_workers():
        process.start()
    sender.close()
    try:
        answer = receiver.recv()
    except EOFError:
        answer = "the process ended without an answer"
    process.join()
    if isinstance(answer, str):
        raise IngestError(f"expected {function.__name__} to run, found: {answer}")
    measurement: Measurement = answer
    return measurement


def _measured(sender: Any, function: Callable[..., int], arguments: tuple[Any, ...]) -> None:
    try:
        # What every reader needs is imported before the clock starts; what a pool needs in its workers counts.
        if function in (with_readers, with_run):
            without_pandas()
        import conllu  # noqa: F401
        import duckdb  # noqa: F401
        import pyarrow as pa

        pa.array([None])
        peak = _Peak()
        begin = time.perf_counter()
        idle = _cpu_seconds()
        rows = function(*arguments)
        wall, cpu = time.perf_counter() - begin, _cpu_seconds() - idle
        sender.send(Measurement(wall, cpu, peak.stop(), rows))
    except ImportError as error:
        sender.send(f"{error}; the comparison needs the extra dev")
    except Exception as error:
        sender.send(f"{type(error).__name__}: {error}")


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class _Peak:
    """Greatest memory of this process and its children, looked at ten times a second.

    Proportional where the system knows it (a page that three processes share counts a third for each), else
    resident.
    """

    def __init__(self) -> None:
        import psutil

        self.process = psutil.Process()
        self.peak = 0.0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self) -> None:
        import psutil

        while not self.ended.wait(0.1):
            total = 0
            for process in (self.process, *self.process.children(recursive=True)):
                try:
                    memory = process.memory_full_info()
                    total += getattr(memory, "pss", memory.rss)
                except psutil.Error:
                    continue
            self.peak = max(self.peak, total / 1e6)

    def stop(self) -> float:
        """Return the peak in MB."""
        self.ended.set()
        self.thread.join()
        return self.peak


def with_readers(tasks: list[Task], workers: int) -> int:
    """Read files into Arrow as the ingest step does; return the rows of tokens."""
    readings = [result.reading for _, result in read_files(tasks, workers)]
    return sum(reading.rows_read for reading in readings)


def with_run(settings: Settings, workers: int) -> int:
    """Do the whole ingest step on a new database."""
    from ingest.raw import run

    with tempfile.TemporaryDirectory(dir=_scratch(settings)) as folder:
        return run(replace(settings, work_db=Path(folder) / "bench.duckdb"), workers=workers, quiet=True).tokens


def conllu_with_library(tasks: list[Task], plain: bool) -> int:
    """Read CoNLL-U with conllu.parse_incr and put the ten columns into Arrow.

    Args:
        tasks: the files.
        plain: leave every field a text, which spares the library to take FEATS, DEPS and MISC apart and us to
            join them again; otherwise the library as it comes.
    """
    return sum(table.num_rows for table in _conllu_tables(tasks, plain))


def xml_with_elementtree(tasks: list[Task]) -> int:
    """Read XML with ElementTree.iterparse, one process, and put the same columns into Arrow."""
    return sum(table.num_rows for table in _xml_tables(tasks))


def both_to_database(conllu: list[Task], xml: list[Task]) -> int:
    """Read everything with the two libraries and write one table per format."""
    import duckdb
    import pyarrow as pa

    rows = 0
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(Path(folder) / "peer.duckdb") as connection:
        for name, tables in (("ud_tokens", _conllu_tables(conllu, True)), ("native_tokens", _xml_tables(xml))):
            whole = pa.concat_tables(tables)
            rows += whole.num_rows
            connection.register("fresh", whole)
            connection.execute(f"create table {name} as select * from fresh")
            connection.unregister("fresh")
    return rows


def _conllu_tables(tasks: list[Task], plain: bool) -> list[Any]:
    import conllu
    import pyarrow as pa

    names = ("path", "sentence_position", *CONLLU_COLUMNS)
    schema = pa.schema([(name, pa.int32() if name == "sentence_position" else pa.string()) for name in names])
    texts: dict[str, Callable[[list[str], int], Any]] = dict.fromkeys(
        ("id", "xpos", "feats", "head", "deps", "misc"), lambda line, index: line[index]
    )
    serialize = conllu.serializer.serialize_field
    tables = []
    for task in tasks:
        columns: list[list[Any]] = [[] for _ in names]
        with (task.root / task.path).open(encoding="utf-8") as handle:
            sentences = conllu.parse_incr(handle, CONLLU_COLUMNS, texts if plain else None)
            for position, sentence in enumerate(sentences, 1):
                for token in sentence:
                    columns[0].append(task.path)
                    columns[1].append(position)
                    for column, value in zip(columns[2:], token.values(), strict=True):
                        column.append(value if plain else serialize(value))
        tables.append(pa.table(dict(zip(names, columns, strict=True)), schema=schema))
    return tables


def _xml_tables(tasks: list[Task]) -> list[Any]:
    from xml.etree import ElementTree

    import pyarrow as pa

    names = ("path", "sentence_position", "position", *WORD_ATTRIBUTES, "attributes")
    schema = pa.schema([(name, pa.int32() if name.endswith("position") else pa.string()) for name in names])
    known = frozenset(WORD_ATTRIBUTES)
    tables = []
    for task in tasks:
        columns: list[list[Any]] = [[] for _ in names]
        sentence_position = 0
        for _, element in ElementTree.iterparse(task.root / task.path):
            if element.tag != "sentence":
                continue
            sentence_position += 1
            for position, word in enumerate(element.iter("word"), 1):
                others = {name: value for name, value in word.attrib.items() if name not in known}
                values = (
                    task.path,
                    sentence_position,
                    position,
                    *map(word.attrib.get, WORD_ATTRIBUTES),
                    json.dumps(others, ensure_ascii=False, sort_keys=True) if others else None,
                )
                for column, value in zip(columns, values, strict=True):
                    column.append(value)
            element.clear()
        tables.append(pa.table(dict(zip(names, columns, strict=True)), schema=schema))
    return tables


def _scratch(settings: Settings) -> Path:
    folder = settings.work_db.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise IngestError(f"expected a place to write {folder}, found: {error.strerror}") from error
    return folder
