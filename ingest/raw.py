"""Write the raw tables: one table of documents, sentences and tokens per project, in one transaction.

A view per format and entity (``raw.conllu_tokens``) puts those of its projects together for the models.

A run reads the registry, finds the files, reads those whose bytes, pin or reader changed since the last run, and
replaces the tables of the projects concerned. Rows lie in the order path, sentence, token (path by code point),
whatever the number of workers and whichever files were read again. Until the commit the last good tables stay.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.attributes import findings_of, is_derived, is_fall, measure
from ingest.fetch import Source, find_source
from ingest.readers.encoding import shown
from ingest.readers.files import list_files, look_at, place_of, read_regular
from ingest.readers.native_xml import read_metadata
from ingest.readers.reading import READER_VERSION, Result, Task, has_sha256, read_files
from ingest.readers.records import TABLES, Metadata, Reject, nothing_lost, schema_of
from ingest.sources import Project, Registry, load_registry
from runtime.database import open_database, table_exists, transaction
from runtime.errors import FileError, IngestError
from runtime.progress import progress
from runtime.settings import Settings

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

# Columns of the tables about the run itself: name, DuckDB type.
RUN_TABLES: dict[str, dict[str, str]] = {
    "files": {
        "project": "varchar", "path": "varchar", "status": "varchar", "bytes": "bigint", "sha256": "varchar",
        "expected_sha256": "varchar", "revision": "varchar", "rows_in_file": "bigint", "rows_read": "bigint",
        "rows_rejected": "bigint", "sentences": "bigint", "reader": "varchar", "note": "varchar",
    },
    "rejects": {
        "project": "varchar", "path": "varchar", "scope": "varchar", "line": "integer", "sentence": "varchar",
        "sentence_position": "integer", "token": "varchar", "expected": "varchar", "found": "varchar",
        "rows_lost": "bigint",
    },
    "file_attributes": {
        "project": "varchar", "path": "varchar", "attribute": "varchar", "words": "bigint", "filled": "bigint",
    },
    "source": {"kind": "varchar", "note": "varchar"},
}  # fmt: skip
ROW_ORDER = {
    "documents": "path",
    "sentences": "path, position",
    "tokens": "path, sentence_position, position",
}

# Rows that are held before they are written: two row groups of the engine.
ROWS_PER_INSERT = 245_760

# DuckDB types of the columns of TABLES.
DUCKDB_TYPES = {"s": "varchar", "i": "integer", "l": "bigint", "L": "varchar[]"}

# Notes of raw.files: the folder says that a file stands for another; a file is not in the registry.
SUBSTITUTED = "substituted"
UNLISTED = "not in the list of expected files"

Key = tuple[str, str]


@dataclass(frozen=True)
class FileRecord:
    """One row of ``raw.files``: what became of one expected or found file.

    ``status`` is ``read``, ``rejected`` (nothing of it is in the tables) or ``absent`` (expected and not there).
    """

    project: str
    path: str
    status: str
    bytes: int | None
    sha256: str | None
    expected_sha256: str | None
    revision: str | None
    rows_in_file: int = 0
    rows_read: int = 0
    rows_rejected: int = 0
    sentences: int = 0
    reader: str | None = None
    note: str | None = None

    @property
    def differs(self) -> bool:
        """Whether the content is known to differ from the pinned revision, by checksum or by the folder's own word."""
        other = bool(self.expected_sha256 and self.sha256 and self.expected_sha256 != self.sha256)
        return other or (self.note or "").startswith(SUBSTITUTED)


@dataclass(frozen=True)
class Finding:
    """One row of ``raw.rejects``: a file and what a reader found in it."""

    project: str
    path: str
    reject: Reject

    def row(self) -> tuple[Any, ...]:
        """Return the values in the order of the columns."""
        return (self.project, self.path, *vars(self.reject).values())

    def __str__(self) -> str:
        """Return one sentence: where, what was expected, what was found."""
        reject = self.reject
        place = [f"{self.project}/{self.path}" if self.project else self.path]
        place += [f"line {reject.line}"] if reject.line else []
        place += [f"sentence {reject.sentence or reject.sentence_position}"] if reject.sentence_position else []
        place += [f"token {reject.token}"] if reject.token else []
        return shown(f"{', '.join(place)}: expected {reject.expected}, found {reject.found}")


@dataclass(frozen=True)
class Layout:
    """What a folder of treebanks has: the files to be read, the expected ones that are absent, and what is wrong."""

    tasks: list[Task]
    absent: list[FileRecord]
    findings: list[Finding]


@dataclass
class Summary:
    """What a run did, for the report at its end and for callers."""

    source: Source
    files: list[FileRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    changed: int = 0
    seconds: float = 0.0

    def with_status(self, status: str) -> list[FileRecord]:
        """Return the files of one status."""
        return [file for file in self.files if file.status == status]

    @property
    def differing(self) -> list[FileRecord]:
        """The files whose content differs from the pinned revision."""
        return [file for file in self.files if file.differs]

    @property
    def losses(self) -> list[Finding]:
        """The findings because of which a file or a sentence is not in the tables."""
        rejected = {(file.project, file.path) for file in self.with_status("rejected")}
        return [
            finding
            for finding in self.findings
            if finding.reject.rows_lost or (finding.project, finding.path) in rejected
        ]

    @property
    def falls(self) -> list[Finding]:
        """The findings that say of a file that it has less than at its pinned revision."""
        return [finding for finding in self.findings if is_fall(finding.reject)]

    @property
    def notices(self) -> list[Finding]:
        """The other findings about a whole file, or about a folder."""
        named = {id(finding) for finding in [*self.losses, *self.falls]}
        return [finding for finding in self.findings if finding.reject.scope == "file" and id(finding) not in named]

    @property
    def sentences(self) -> int:
        """Sentences in the tables."""
        return sum(file.sentences for file in self.files)

    @property
    def tokens(self) -> int:
        """Words, and lines of CoNLL-U, in the tables."""
        return sum(file.rows_read for file in self.files)

    @property
    def rows_rejected(self) -> int:
        """Words, and lines of CoNLL-U, that are in the files and not in the tables."""
        return sum(file.rows_rejected for file in self.files)


def run(
    settings: Settings,
    source: str = "auto",
    workers: int | None = None,
    full: bool = False,
    quiet: bool = False,
    registry: Registry | None = None,
) -> Summary:
    """Bring the raw tables up to date with the treebanks.

    Args:
        settings: where the treebanks and the working database lie.
        source: ``folder``, ``git`` or ``sample``; ``auto`` takes the first of them that can be had.
        workers: processes that read; default: one per core.
        full: read every file again, changed or not.
        quiet: no progress, even on a terminal.
        registry: the source registry; default: the seeds of the checkout.

    Raises:
        IngestError: no input, no place to write, another writer. The last good tables are still there.
    """
    begin = time.monotonic()
    registry = registry or load_registry()
    origin = find_source(settings, registry, source)
    if origin.kind == "sample":
        registry = registry.layout_only()
    layout = find_files(origin, registry)
    tasks = layout.tasks
    if not tasks:
        reasons = "".join(f"; {finding}" for finding in layout.findings)
        raise IngestError(
            f"expected treebank files in {origin.root}, found none; expected a folder per project: "
            + ", ".join(f"{project.name}/{project.files}" for project in registry.projects)
            + reasons
        )
    with open_database(settings.work_db) as connection, transaction(connection):
        create_run_tables(connection)
        kept = {} if full else unchanged_files(tasks, known_files(connection))
        stale = [task for task in tasks if (task.project, task.path) not in kept]
        records = {(file.project, file.path): file for file in layout.absent} | kept
        findings = [
            finding
            for finding in known_findings(connection)
            if (finding.project, finding.path) in kept and not is_derived(finding.reject)
        ]
        with progress("reading treebanks", sum(task.size for task in stale), quiet) as advance:
            for task, result in update_tables(connection, registry, stale, kept, workers or os.cpu_count() or 1):
                records[task.project, task.path] = file_record(task, result)
                findings += [Finding(task.project, task.path, reject) for reject in result.reading.rejects]
                advance(task.size, result.reading.rows_read)
        for format in TABLES:
            put_together(connection, registry, format)
        measured = measure(connection, registry)
        findings += [Finding(*finding) for finding in findings_of(measured, registry)]
        findings += layout.findings
        summary = Summary(origin, changed=len(stale))
        summary.files, summary.findings = in_order(registry, origin, records, findings)
        replace_rows(connection, "files", (tuple(vars(file).values()) for file in summary.files))
        replace_rows(connection, "rejects", (finding.row() for finding in summary.findings))
        replace_rows(connection, "file_attributes", (row for file in measured for row in file.rows()))
        replace_rows(connection, "source", [(origin.kind, origin.note)])
    summary.seconds = time.monotonic() - begin
    return summary


def find_files(source: Source, registry: Registry) -> Layout:
    """Match the registry with the folder.

    The files to be read are the expected ones that exist; in a folder that a user gives and in the sample also the
    others of the layout, so that a new file is never overlooked. What lies in the place of a file and cannot be read as
    one (a folder, a pipe, a link to nothing) is among them, with what is wrong with it.
    """
    tasks: list[Task] = []
    absent: list[FileRecord] = []
    findings = [Finding(*fault) for fault in source.faults]
    for project in registry.projects:
        root = source.root / project.name
        expected = registry.files_of(project.name)
        revision = source.revisions.get(project.name)
        metadata, faults = project_metadata(root, project)
        found = {file.path: file for file in (look_at(root, path) for path in expected) if file is not None}
        if source.kind != "git":
            listed, closed = list_files(root, project.files)
            found |= {file.path: file for file in listed}
            faults += [(folder.path, nothing_lost(*folder.fault)) for folder in closed if folder.fault is not None]
        findings += [Finding(project.name, path, reject) for path, reject in faults]
        for path, file in sorted(found.items()):
            about = metadata.get(path, Metadata())
            tasks.append(Task(project.name, project.format, root, path, revision, about, file.size, file.fault))
        for path in sorted(set(expected) - set(found)):
            absent.append(FileRecord(project.name, path, "absent", None, None, expected[path].sha256, revision))
    return Layout(tasks, absent, findings)


def project_metadata(root: Path, project: Project) -> tuple[dict[str, Metadata], list[tuple[str, Reject]]]:
    """Read what the project's metadata file says about its files; nothing when there is none.

    Returns:
        Metadata by path, and what is wrong with the file: the rest of it is used.
    """
    path = project.metadata_file
    if path is None:
        return {}, []
    findings: list[Reject] = []
    metadata: dict[str, Metadata] = {}
    try:
        file = look_at(root, path)
        if file is not None:
            metadata = read_metadata(read_regular(place_of(root, path)), project.files.split("*")[0], findings)
    except FileError as error:
        findings.append(nothing_lost(error.expected, error.found, error.line))
    except Exception as error:
        findings.append(nothing_lost("metadata that can be read", shown(f"{type(error).__name__}: {error}"[:200])))
    return metadata, [(path, finding) for finding in findings]


def reader_of(task: Task) -> str:
    """Return what, besides the bytes, decides the rows of a file: reader version, revision and metadata."""
    about = json.dumps([task.revision, task.metadata.title, task.metadata.author, task.metadata.annotators])
    return f"{READER_VERSION}-{hashlib.sha256(about.encode()).hexdigest()[:12]}"


def unchanged_files(tasks: list[Task], known: dict[Key, FileRecord]) -> dict[Key, FileRecord]:
    """Return the records of the files whose rows of the last run stand: same bytes, same reader, same pin."""
    candidates = [task for task in tasks if (task.project, task.path) in known]

    def unchanged(task: Task) -> bool:
        record = known[task.project, task.path]
        if task.fault is not None or record.bytes != task.size or record.reader != reader_of(task):
            return False
        return has_sha256(task, record.sha256)

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        verdicts = list(pool.map(unchanged, candidates))
    return {
        (task.project, task.path): known[task.project, task.path]
        for task, same in zip(candidates, verdicts, strict=True)
        if same
    }


def update_tables(
    connection: duckdb.DuckDBPyConnection,
    registry: Registry,
    stale: list[Task],
    kept: dict[Key, FileRecord],
    workers: int,
) -> Iterator[tuple[Task, Result]]:
    """Read files and write them to the tables of their projects; yield each file when it is read.

    The project with the largest file comes first, the files of a project in the order of their paths: so rows can
    be written while other files are still read, and no giant is left for the end.
    """
    largest: dict[str, int] = defaultdict(int)
    for task in stale:
        largest[task.project] = max(largest[task.project], task.size)
    paths: dict[str, set[str]] = defaultdict(set)
    for (name, path), file in kept.items():
        if file.status == "read":
            paths[name].add(path)
    tables = {project.name: ProjectTables(connection, project, paths[project.name]) for project in registry.projects}
    for name in tables.keys() - largest.keys():
        tables[name].drop_others()
    ordered = sorted(stale, key=lambda task: (-largest[task.project], task.project, task.path))
    results = read_files(ordered, workers)
    for name, group in groupby(results, key=lambda pair: pair[0].project):
        tables[name].begin()
        for task, result in group:
            tables[name].add(result)
            yield task, result
        tables[name].finish()


def in_order(
    registry: Registry, origin: Source, records: dict[Key, FileRecord], findings: list[Finding]
) -> tuple[list[FileRecord], list[Finding]]:
    """Return files and findings in the order of the registry, then path, with what is expected of each file."""
    order = {project.name: index for index, project in enumerate(registry.projects)}
    expected = {(file.project, file.path): file.sha256 for file in registry.files}
    keys = sorted(records, key=lambda key: (order[key[0]], key[1]))
    files = [with_expectation(records[key], expected, origin) for key in keys]
    # What is wrong with the folder itself belongs to no project and comes first.
    return files, sorted(findings, key=lambda finding: (order.get(finding.project, -1), *sort_key(finding)))


def file_record(task: Task, result: Result) -> FileRecord:
    """Return the row of ``raw.files`` for a file that was read or rejected."""
    reading = result.reading
    return FileRecord(
        project=task.project,
        path=task.path,
        status="read" if reading.is_read else "rejected",
        bytes=result.size,
        sha256=result.sha256,
        expected_sha256=None,
        revision=task.revision,
        rows_in_file=reading.rows_in_file,
        rows_read=reading.rows_read,
        rows_rejected=reading.rows_rejected,
        sentences=reading.sentences,
        reader=reader_of(task),
    )


def with_expectation(file: FileRecord, expected: dict[Key, str | None], source: Source) -> FileRecord:
    """Add what is expected of the file today: its checksum, whether it is listed, and what the folder says of it."""
    key = (file.project, file.path)
    note = None
    if key in source.substituted:
        note = f"{SUBSTITUTED}: {source.substituted[key]}"
    elif expected and key not in expected:
        note = UNLISTED
    return replace(file, expected_sha256=expected.get(key), note=note)


def create_run_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the schema and the tables about the run, where they are not there yet or have other columns."""
    connection.execute("create schema if not exists raw")
    for table, columns in RUN_TABLES.items():
        query = (
            "select column_name from duckdb_columns() "
            "where schema_name = 'raw' and table_name = ? order by column_index"
        )
        present = [row[0] for row in connection.execute(query, [table]).fetchall()]
        if present != list(columns):
            definition = ", ".join(f"{name} {kind}" for name, kind in columns.items())
            connection.execute(f"create or replace table raw.{table} ({definition})")


def known_files(connection: duckdb.DuckDBPyConnection) -> dict[Key, FileRecord]:
    """Return the files of the last run whose rows, or whose reasons for rejection, are in the tables."""
    rows = connection.execute("select * from raw.files where status <> 'absent'").fetchall()
    return {(row[0], row[1]): FileRecord(*row) for row in rows}


def known_findings(connection: duckdb.DuckDBPyConnection) -> list[Finding]:
    """Return the findings of the last run."""
    rows = connection.execute("select * from raw.rejects").fetchall()
    return [Finding(row[0], row[1], Reject(*row[2:])) for row in rows]


def sort_key(finding: Finding) -> tuple[Any, ...]:
    """Return a total order of the findings of a project: path, line, then everything else as text."""
    return (finding.path, finding.reject.line or 0, [str(value) for value in finding.row()])


class ProjectTables:
    """The raw tables of one project while they are written.

    Results come in the order of their paths. When no rows of the last run are kept, they are appended as they
    come; otherwise they are collected and merged with the kept rows at the end.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, project: Project, kept: set[str]) -> None:
        self.connection = connection
        self.project = project
        self.kept = sorted(kept)
        self.schemas = {entity: schema_of(project.format, entity) for entity in TABLES[project.format]}
        self.batches: dict[str, list[pa.RecordBatch]] = {entity: [] for entity in self.schemas}
        self.rows = 0

    def begin(self) -> None:
        """Empty the tables, unless rows are kept."""
        for entity, schema in self.schemas.items():
            if not self.kept:
                with registered(self.connection, "fresh", schema.empty_table()):
                    self.connection.execute(f"create or replace table {self.table(entity)} as select * from fresh")

    def add(self, result: Result) -> None:
        """Take the rows of one file; append them to the tables when there are many."""
        for entity, batch in result.reading.tables.items():
            self.batches[entity].append(batch)
        # The rows are held here now; the caller only needs the counts.
        result.reading.tables = {}
        self.rows += result.reading.rows_read
        if not self.kept and self.rows >= ROWS_PER_INSERT:
            self.append()

    def finish(self) -> None:
        """Write what is left."""
        if self.kept:
            self.merge()
        else:
            self.append()

    def append(self) -> None:
        """Append the collected rows to the tables."""
        for entity, fresh in self.collected():
            with registered(self.connection, "fresh", fresh):
                self.connection.execute(f"insert into {self.table(entity)} select * from fresh")

    def merge(self) -> None:
        """Write the kept and the collected rows in the order of their keys."""
        import pyarrow as pa

        for entity, fresh in self.collected():
            table = self.table(entity)
            with (
                registered(self.connection, "fresh", fresh),
                registered(self.connection, "kept", pa.table({"path": pa.array(self.kept, pa.string())})),
            ):
                self.connection.execute(
                    f"create or replace table {table} as select * from ("
                    f"select * from fresh union all select * from {table} where path in (select path from kept)"
                    f") order by {ROW_ORDER[entity]}"
                )

    def drop_others(self) -> None:
        """Take out the rows of files that are gone; nothing was read. Make the tables where there are none."""
        for entity in self.schemas:
            if not table_exists(self.connection, "raw", f"{self.project.name}_{entity}"):
                self.kept = []
                self.begin()
                return
            paths = self.connection.execute(f"select distinct path from {self.table(entity)}").fetchall()
            if {row[0] for row in paths} - set(self.kept):
                self.merge()
                return

    def collected(self) -> Iterator[tuple[str, pa.Table]]:
        """Give up the collected batches as tables by entity."""
        import pyarrow as pa

        for entity, schema in self.schemas.items():
            batches, self.batches[entity] = self.batches[entity], []
            yield entity, pa.Table.from_batches(batches, schema=schema)
        self.rows = 0

    def table(self, entity: str) -> str:
        """Return the name of a table, with its schema."""
        return f"raw.{self.project.name}_{entity}"


def put_together(connection: duckdb.DuckDBPyConnection, registry: Registry, format: str) -> None:
    """Make the views ``raw.<format>_<entity>`` over the tables of all projects of a format, with their names in front.

    The models read these, so that a project is a row of the registry to them and no name in SQL. A format without a
    project gives empty views.
    """
    names = [project.name for project in registry.projects if project.format == format]
    for entity in TABLES[format]:
        parts = [f"select '{name}' as project, * from raw.{name}_{entity}" for name in names]
        if not parts:
            columns = {"project": "varchar"} | {name: DUCKDB_TYPES[kind] for name, kind in TABLES[format][entity]}
            nothing = ", ".join(f"null::{kind} as {name}" for name, kind in columns.items())
            parts = [f"select {nothing} where false"]
        connection.execute(f"create or replace view raw.{format}_{entity} as {' union all '.join(parts)}")


def replace_rows(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Empty one of the tables about the run and fill it, in the order given."""
    import pyarrow as pa

    kinds = {"varchar": pa.string(), "integer": pa.int32(), "bigint": pa.int64()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in RUN_TABLES[table].items()])
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, type=part.type) for column, part in zip(columns, schema, strict=True)]
    connection.execute(f"delete from raw.{table}")
    with registered(connection, "fresh", pa.Table.from_arrays(arrays, schema=schema)):
        connection.execute(f"insert into raw.{table} select * from fresh")


@contextlib.contextmanager
def registered(connection: duckdb.DuckDBPyConnection, name: str, table: pa.Table) -> Iterator[None]:
    """Let SQL see an Arrow table under a name for a moment."""
    connection.register(name, table)
    try:
        yield
    finally:
        with contextlib.suppress(Exception):
            connection.unregister(name)
