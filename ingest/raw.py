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
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.errors import IngestError
from ingest.fetch import Source, find_source
from ingest.native_xml import read_metadata
from ingest.progress import progress
from ingest.reading import READER_VERSION, Result, Task, read_files
from ingest.records import TABLES, Metadata, schema_of
from ingest.settings import Settings
from ingest.sources import Project, Registry, load_registry, matching_paths

if TYPE_CHECKING:
    import duckdb

# Clients of DuckDB 1.4 and later open the file.
STORAGE_VERSION = "v1.4.0"

FILES_TABLE = """
create table if not exists raw.files (
    project varchar, path varchar, status varchar, bytes bigint, sha256 varchar, expected_sha256 varchar,
    revision varchar, rows_in_file bigint, rows_read bigint, rows_rejected bigint, sentences bigint,
    reader varchar, note varchar
)
"""
REJECTS_TABLE = """
create table if not exists raw.rejects (
    project varchar, path varchar, scope varchar, line integer, sentence varchar, sentence_position integer,
    token varchar, expected varchar, found varchar, rows_lost bigint
)
"""
SOURCE_TABLE = "create table if not exists raw.source (kind varchar, note varchar)"


@dataclass(frozen=True)
class FileRecord:
    """One row of ``raw.files``: what became of one expected or found file."""

    project: str
    path: str
    status: str
    size: int | None
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
        """Whether the content is known to differ from the pinned revision."""
        return bool(self.expected_sha256 and self.sha256 and self.expected_sha256 != self.sha256)


@dataclass
class Summary:
    """What a run did, for the report at its end and for callers."""

    source: Source
    files: list[FileRecord] = field(default_factory=list)
    changed: int = 0
    findings: int = 0
    seconds: float = 0.0

    @property
    def read(self) -> list[FileRecord]:
        return [file for file in self.files if file.status == "read"]

    @property
    def absent(self) -> list[FileRecord]:
        return [file for file in self.files if file.status == "absent"]

    @property
    def rejected(self) -> list[FileRecord]:
        return [file for file in self.files if file.status == "rejected"]

    @property
    def differing(self) -> list[FileRecord]:
        return [file for file in self.files if file.differs]

    @property
    def sentences(self) -> int:
        return sum(file.sentences for file in self.files)

    @property
    def tokens(self) -> int:
        return sum(file.rows_read for file in self.files)

    @property
    def rows_rejected(self) -> int:
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
    with open_database(settings.work_db) as connection:
        known = {} if full else known_files(connection)
        stale, kept = split_unchanged(tasks, known)
        total = sum(task.size for task in stale)
        results: dict[tuple[str, str], Result] = {}
        with progress("reading treebanks", total, quiet) as advance:
            for result in read_files(stale, workers or os.cpu_count() or 1):
                results[result.project, result.path] = result
                advance(result.size or 0, result.reading.rows_read)
        summary = Summary(source, changed=len(results))
        summary.files = file_records(registry, tasks, absent, kept, results)
        write(connection, registry, source, summary, results)
        summary.findings = count_rows(connection, "raw.rejects")
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
            absent.append(
                FileRecord(project.name, path, "absent", None, None, expected[path].sha256, project.revision)
            )
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


def split_unchanged(
    tasks: list[Task], known: dict[tuple[str, str], FileRecord]
) -> tuple[list[Task], dict[tuple[str, str], FileRecord]]:
    """Divide the files into those to be read and those whose rows of the last run stand, by checksum and reader."""
    candidates = [task for task in tasks if (task.project, task.path) in known]

    def unchanged(task: Task) -> bool:
        record = known[task.project, task.path]
        if record.size != task.size or record.reader != reader_of(task):
            return False
        try:
            with (task.root / task.path).open("rb") as handle:
                return hashlib.file_digest(handle, "sha256").hexdigest() == record.sha256
        except OSError:
            return False

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        verdicts = list(pool.map(unchanged, candidates))
    kept = {
        (task.project, task.path): known[task.project, task.path]
        for task, same in zip(candidates, verdicts, strict=True)
        if same
    }
    return [task for task in tasks if (task.project, task.path) not in kept], kept


def file_records(
    registry: Registry,
    tasks: list[Task],
    absent: list[FileRecord],
    kept: dict[tuple[str, str], FileRecord],
    results: dict[tuple[str, str], Result],
) -> list[FileRecord]:
    """Return the rows of ``raw.files``, in the order project (of the registry), path."""
    expected = {(file.project, file.path): file.sha256 for file in registry.files}
    listed = bool(expected)
    records = list(absent)
    for task in tasks:
        key = (task.project, task.path)
        note = "not in the list of expected files" if listed and key not in expected else None
        if key in kept:
            old = kept[key]
            counts = (old.status, old.size, old.sha256)
            rows = (old.rows_in_file, old.rows_read, old.rows_rejected, old.sentences)
        else:
            result = results[key]
            reading = result.reading
            counts = ("read" if reading.tables else "rejected", result.size, result.sha256)
            rows = (reading.rows_in_file, reading.rows_read, reading.rows_rejected, reading.sentences)
        status, size, sha256 = counts
        records.append(
            FileRecord(
                task.project, task.path, status, size, sha256, expected.get(key), task.revision,
                *rows, reader=reader_of(task), note=note,
            )
        )  # fmt: skip
    order = {project.name: index for index, project in enumerate(registry.projects)}
    return sorted(records, key=lambda record: (order[record.project], record.path))


def known_files(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], FileRecord]:
    """Return the files of the last run whose rows are in the tables or whose reason for rejection is."""
    columns = (
        "project, path, status, bytes, sha256, expected_sha256, revision, "
        "rows_in_file, rows_read, rows_rejected, sentences, reader, note"
    )
    rows = connection.execute(f"select {columns} from raw.files where status <> 'absent'").fetchall()
    return {(row[0], row[1]): FileRecord(*row) for row in rows}


def write(
    connection: duckdb.DuckDBPyConnection,
    registry: Registry,
    source: Source,
    summary: Summary,
    results: dict[tuple[str, str], Result],
) -> None:
    """Replace what changed, in one transaction."""
    present = {(file.project, file.path) for file in summary.files if file.status == "read"}
    by_project: dict[str, list[Result]] = defaultdict(list)
    for key in sorted(results):
        by_project[key[0]].append(results[key])
    connection.execute("begin transaction")
    try:
        for project in registry.projects:
            paths = {path for name, path in present if name == project.name}
            for entity in TABLES[project.format]:
                write_table(connection, project, entity, by_project[project.name], paths)
        write_rejects(connection, summary, results)
        write_files(connection, summary)
        connection.execute("delete from raw.source")
        connection.execute("insert into raw.source values (?, ?)", [source.kind, source.note])
        connection.execute("commit")
    except BaseException:
        with contextlib.suppress(Exception):
            connection.execute("rollback")
        raise


def write_table(
    connection: duckdb.DuckDBPyConnection, project: Project, entity: str, results: list[Result], paths: set[str]
) -> None:
    """Write one raw table: rows of the results, and those of the last run for the other paths that are present."""
    import pyarrow as pa

    table = f"raw.{project.name}_{entity}"
    schema = schema_of(project.format, entity)
    batches = [result.reading.tables[entity] for result in results if result.reading.tables]
    fresh = pa.Table.from_batches(batches, schema=schema)
    new_paths = {result.path for result in results}
    old_paths = set()
    if table_exists(connection, project.name, entity):
        old_paths = {row[0] for row in connection.execute(f"select distinct path from {table}").fetchall()}
        if old_paths == paths and not new_paths:
            return
    kept = sorted((old_paths & paths) - new_paths)
    connection.register("fresh", fresh)
    try:
        if not kept:
            connection.execute(f"create or replace table {table} as select * from fresh")
            return
        order = {"documents": "path", "sentences": "path, position"}.get(entity, "path, sentence_position, position")
        kept_table = pa.table({"path": pa.array(kept, type=pa.string())})
        connection.register("kept", kept_table)
        connection.execute(
            f"create or replace table {table} as "
            f"select * from (select * from fresh union all by name "
            f"select * from {table} where path in (select path from kept)) order by {order}"
        )
    finally:
        connection.unregister("fresh")
        with contextlib.suppress(Exception):
            connection.unregister("kept")


def write_rejects(
    connection: duckdb.DuckDBPyConnection, summary: Summary, results: dict[tuple[str, str], Result]
) -> None:
    """Replace the findings of the files that were read, keep those of the files that stand."""
    import pyarrow as pa

    present = {(file.project, file.path) for file in summary.files if file.status != "absent"}
    rows = [
        row
        for row in connection.execute("select * from raw.rejects").fetchall()
        if (row[0], row[1]) in present and (row[0], row[1]) not in results
    ]
    for (project, path), result in results.items():
        for reject in result.reading.rejects:
            rows.append(
                (
                    project, path, reject.scope, reject.line, reject.sentence, reject.sentence_position,
                    reject.token, reject.expected, reject.found, reject.rows_lost,
                )
            )  # fmt: skip
    rows.sort(key=lambda row: (row[0], row[1], row[3] or 0, row[5] or 0, [str(value) for value in row]))
    types = ("s", "s", "s", "i", "s", "i", "s", "s", "s", "l")
    replace_rows(connection, "raw.rejects", types, rows, pa)


def write_files(connection: duckdb.DuckDBPyConnection, summary: Summary) -> None:
    """Replace ``raw.files``."""
    import pyarrow as pa

    rows = [
        (
            file.project, file.path, file.status, file.size, file.sha256, file.expected_sha256, file.revision,
            file.rows_in_file, file.rows_read, file.rows_rejected, file.sentences, file.reader, file.note,
        )
        for file in summary.files
    ]  # fmt: skip
    replace_rows(connection, "raw.files", tuple("ssslsssllllss"), rows, pa)


def replace_rows(
    connection: duckdb.DuckDBPyConnection, table: str, types: tuple[str, ...], rows: list[tuple[Any, ...]], pa: Any
) -> None:
    """Empty a table and fill it from tuples, in their order."""
    kinds = {"s": pa.string(), "i": pa.int32(), "l": pa.int64()}
    columns = zip(*rows, strict=True) if rows else [() for _ in types]
    arrays = [pa.array(list(column), type=kinds[kind]) for column, kind in zip(columns, types, strict=True)]
    batch = pa.Table.from_arrays(arrays, names=[f"c{index}" for index in range(len(types))])
    connection.execute(f"delete from {table}")
    connection.register("fresh", batch)
    try:
        connection.execute(f"insert into {table} select * from fresh")
    finally:
        connection.unregister("fresh")


def table_exists(connection: duckdb.DuckDBPyConnection, project: str, entity: str) -> bool:
    """Whether a raw table is there already."""
    query = "select 1 from duckdb_tables() where schema_name = 'raw' and table_name = ?"
    return bool(connection.execute(query, [f"{project}_{entity}"]).fetchall())


def count_rows(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """Return the number of rows of a table."""
    return int(connection.execute(f"select count(*) from {table}").fetchall()[0][0])


@contextlib.contextmanager
def open_database(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the working database for writing, make it if need be, and turn engine errors into plain messages.

    A new database is made aside and moved into place, so that a run killed at that moment leaves no half file.
    """
    import duckdb

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            create_database(path)
        connection = duckdb.connect(path)
    except OSError as error:
        raise IngestError(
            f"expected a place to write {path}, found: {error.strerror}; set SPHRAGIS_DB or SPHRAGIS_BUILD"
        ) from error
    except duckdb.Error as error:
        raise database_error(path, error) from error
    try:
        connection.execute("set preserve_insertion_order = true")
        connection.execute("create schema if not exists raw")
        connection.execute(FILES_TABLE)
        connection.execute(REJECTS_TABLE)
        connection.execute(SOURCE_TABLE)
        yield connection
    except duckdb.Error as error:
        raise database_error(path, error) from error
    finally:
        with contextlib.suppress(duckdb.Error):
            connection.close()


def create_database(path: Path) -> None:
    """Make an empty database of the storage version that older clients read."""
    import duckdb

    aside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with duckdb.connect() as connection:
            target = str(aside).replace("'", "''")
            connection.execute(f"attach '{target}' as fresh (storage_version '{STORAGE_VERSION}')")
            connection.execute("create schema fresh.raw")
            connection.execute("detach fresh")
        os.replace(aside, path)
    finally:
        with contextlib.suppress(OSError):
            aside.unlink()


def database_error(path: Path, error: Exception) -> IngestError:
    """Say in one sentence what kept the engine from writing."""
    text = str(error).split("\n")[0]
    lowered = text.lower()
    if "lock" in lowered:
        return IngestError(
            f"expected to be the only writer of {path}, found another one; wait until it has ended ({text})"
        )
    if "no space" in lowered or "disk" in lowered:
        return IngestError(f"expected room on the disk of {path}, found none; the last tables are unchanged ({text})")
    return IngestError(f"expected to write {path}, found: {text}; the last tables are unchanged")
