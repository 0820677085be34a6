"""Write the raw tables: one table of documents, sentences and tokens per project, in one transaction.

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
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.database import open_database, table_exists, transaction
from ingest.errors import IngestError
from ingest.fetch import Source, find_source
from ingest.native_xml import read_metadata
from ingest.progress import Advance, progress
from ingest.reading import READER_VERSION, Result, Task, read_files
from ingest.records import TABLES, Metadata, Reject, schema_of
from ingest.settings import Settings
from ingest.sources import Project, Registry, load_registry, matching_paths

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
    "source": {"kind": "varchar", "note": "varchar"},
}  # fmt: skip
ROW_ORDER = {
    "documents": "path",
    "sentences": "path, position",
    "tokens": "path, sentence_position, position",
}

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
        place = [f"{self.project}/{self.path}"]
        place += [f"line {reject.line}"] if reject.line else []
        place += [f"sentence {reject.sentence or reject.sentence_position}"] if reject.sentence_position else []
        place += [f"token {reject.token}"] if reject.token else []
        return f"{', '.join(place)}: expected {reject.expected}, found {reject.found}"


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
        return [finding for finding in self.findings if finding.reject.rows_lost or finding.reject.scope == "file"]

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
    workers: int | None = None,
    full: bool = False,
    quiet: bool = False,
    registry: Registry | None = None,
) -> Summary:
    """Bring the raw tables up to date with the treebanks.

    Args:
        settings: where the treebanks and the working database lie.
        workers: processes that read; default: one per core.
        full: read every file again, changed or not.
        quiet: no progress, even on a terminal.
        registry: the source registry; default: the seeds of the checkout.

    Raises:
        IngestError: no input, no place to write, another writer. The last good tables are still there.
    """
    begin = time.monotonic()
    registry = registry or load_registry()
    source = find_source(settings, registry, quiet=quiet)
    if source.kind == "sample":
        registry = registry.layout_only()
    tasks, absent = find_files(source, registry)
    if not tasks:
        raise IngestError(
            f"expected treebank files in {source.root}, found none; expected a folder per project: "
            + ", ".join(f"{project.name}/{project.files}" for project in registry.projects)
        )
    with open_database(settings.work_db) as connection, transaction(connection):
        create_run_tables(connection)
        known = known_files(connection)
        kept = {} if full else unchanged_files(tasks, known)
        stale = [task for task in tasks if (task.project, task.path) not in kept]
        summary = Summary(source, changed=len(stale))
        records = {**{(file.project, file.path): file for file in absent}, **kept}
        findings = [finding for finding in known_findings(connection) if (finding.project, finding.path) in kept]
        expected = {(file.project, file.path): file.sha256 for file in registry.files}
        with progress("reading treebanks", sum(task.size for task in stale), quiet) as advance:
            for project, results in results_by_project(registry, stale, workers or os.cpu_count() or 1, advance):
                for task, result in results:
                    records[task.project, task.path] = file_record(task, result)
                    findings += [Finding(task.project, task.path, reject) for reject in result.reading.rejects]
                read = {key[1] for key, file in records.items() if key[0] == project.name and file.status == "read"}
                for entity in TABLES[project.format]:
                    write_table(connection, project, entity, [result for _, result in results], read)
        order = {project.name: index for index, project in enumerate(registry.projects)}
        summary.files = [
            with_expectation(records[key], expected, source)
            for key in sorted(records, key=lambda key: (order[key[0]], key[1]))
        ]
        summary.findings = sorted(findings, key=lambda finding: (order[finding.project], *sort_key(finding)))
        replace_rows(connection, "files", (tuple(vars(file).values()) for file in summary.files))
        replace_rows(connection, "rejects", (finding.row() for finding in summary.findings))
        replace_rows(connection, "source", [(source.kind, source.note)])
    summary.seconds = time.monotonic() - begin
    return summary


def find_files(source: Source, registry: Registry) -> tuple[list[Task], list[FileRecord]]:
    """Match the registry with the folder.

    Returns:
        The files to be read (expected ones that exist; in a folder that a user gives and in the sample also the
        others of the layout, so that a new file is never overlooked), and records of the absent ones.
    """
    tasks: list[Task] = []
    absent: list[FileRecord] = []
    for project in registry.projects:
        root = source.root / project.name
        expected = registry.files_of(project.name)
        revision = source.revisions.get(project.name)
        metadata = project_metadata(root, project)
        paths = {path for path in expected if (root / path).is_file()}
        if source.kind != "git":
            paths |= set(matching_paths(root, project.files))
        for path in sorted(paths):
            size = (root / path).stat().st_size
            about = metadata.get(path, Metadata())
            tasks.append(Task(project.name, project.format, root, path, revision, about, size))
        for path in sorted(set(expected) - paths):
            absent.append(FileRecord(project.name, path, "absent", None, None, expected[path].sha256, revision))
    return tasks, absent


def project_metadata(root: Path, project: Project) -> dict[str, Metadata]:
    """Read what the project's metadata file says about its files; nothing when there is none or it is damaged."""
    if project.metadata_file is None or not (root / project.metadata_file).is_file():
        return {}
    folder = project.files.split("*")[0]
    try:
        return read_metadata((root / project.metadata_file).read_bytes(), folder)
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def reader_of(task: Task) -> str:
    """Return what, besides the bytes, decides the rows of a file: reader version, revision and metadata."""
    about = json.dumps([task.revision, task.metadata.title, task.metadata.author, task.metadata.annotators])
    return f"{READER_VERSION}-{hashlib.sha256(about.encode()).hexdigest()[:12]}"


def unchanged_files(tasks: list[Task], known: dict[Key, FileRecord]) -> dict[Key, FileRecord]:
    """Return the records of the files whose rows of the last run stand: same bytes, same reader, same pin."""
    candidates = [task for task in tasks if (task.project, task.path) in known]

    def unchanged(task: Task) -> bool:
        record = known[task.project, task.path]
        if record.bytes != task.size or record.reader != reader_of(task):
            return False
        try:
            with (task.root / task.path).open("rb") as handle:
                return hashlib.file_digest(handle, "sha256").hexdigest() == record.sha256
        except OSError:
            return False

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        verdicts = list(pool.map(unchanged, candidates))
    return {
        (task.project, task.path): known[task.project, task.path]
        for task, same in zip(candidates, verdicts, strict=True)
        if same
    }


def results_by_project(
    registry: Registry, tasks: list[Task], workers: int, advance: Advance
) -> Iterator[tuple[Project, list[tuple[Task, Result]]]]:
    """Read files and yield the results of a project, by path, as soon as the last file of it is read.

    The project with most bytes goes first, so that its tables are written while the others are still read.
    Projects of which nothing is to be read come too, at the start, with no result.
    """
    sizes: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    for task in tasks:
        sizes[task.project] += task.size
        waiting[task.project] += 1
    projects = {project.name: project for project in registry.projects}
    yield from ((project, []) for project in registry.projects if not waiting[project.name])
    ordered = sorted(tasks, key=lambda task: (-sizes[task.project], task.project, -task.size, task.path))
    done: dict[str, list[tuple[Task, Result]]] = defaultdict(list)
    for task, result in read_files(ordered, workers):
        advance(task.size, result.reading.rows_read)
        done[task.project].append((task, result))
        waiting[task.project] -= 1
        if not waiting[task.project]:
            yield projects[task.project], sorted(done.pop(task.project), key=lambda pair: pair[0].path)


def file_record(task: Task, result: Result) -> FileRecord:
    """Return the row of ``raw.files`` for a file that was read or rejected."""
    reading = result.reading
    return FileRecord(
        project=task.project,
        path=task.path,
        status="read" if reading.tables else "rejected",
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


def write_table(
    connection: duckdb.DuckDBPyConnection, project: Project, entity: str, results: list[Result], paths: set[str]
) -> None:
    """Write one raw table.

    Args:
        connection: the working database, inside the transaction.
        project: whose table.
        entity: ``documents``, ``sentences`` or ``tokens``.
        results: the files that were read now, by path.
        paths: the paths whose rows the table holds afterwards; those without a result keep their rows.
    """
    import pyarrow as pa

    name = f"{project.name}_{entity}"
    before: set[str] = set()
    if table_exists(connection, "raw", name):
        before = {row[0] for row in connection.execute(f"select distinct path from raw.{name}").fetchall()}
        if not results and before <= paths:
            return
    batches = [result.reading.tables[entity] for result in results if result.reading.tables]
    kept = sorted((before & paths) - {result.path for result in results})
    with registered(connection, "fresh", pa.Table.from_batches(batches, schema=schema_of(project.format, entity))):
        if not kept:
            connection.execute(f"create or replace table raw.{name} as select * from fresh")
            return
        with registered(connection, "kept", pa.table({"path": kept})):
            connection.execute(
                f"create or replace table raw.{name} as select * from ("
                f"select * from fresh union all select * from raw.{name} where path in (select path from kept)"
                f") order by {ROW_ORDER[entity]}"
            )


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
