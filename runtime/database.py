"""The working database: made aside, opened by one writer, and its errors in plain words."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from runtime.errors import IngestError
from runtime.settings import memory_limit

if TYPE_CHECKING:
    import duckdb

# Clients of DuckDB 1.4 and later open the file.
STORAGE_VERSION = "v1.4.0"
# A database is called like its file; under the name of a schema, `corpus.tokens` would be ambiguous.
SCHEMAS = frozenset(
    ("raw", "seeds", "staging", "intermediate", "corpus", "benchmark", "hub", "audit", "main", "system", "temp")
)


@contextlib.contextmanager
def open_database(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the working database for writing, make it if need be, and turn engine errors into plain messages.

    Raises:
        IngestError: no place to write, another writer, a file that is no database, a full disk, or a file that is
            called like a schema.
    """
    import duckdb

    if path.stem.lower() in SCHEMAS:
        raise IngestError(
            f"expected a warehouse that is not called like one of its schemas, found {path.name}; "
            "give it another name in SPHRAGIS_DB"
        )
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
        # This is the only writer: what lies there was left by one that was killed.
        shutil.rmtree(spill_folder(path), ignore_errors=True)
        clear_unfinished(path)
        limit(connection, spill_folder(path))
        connection.execute("set preserve_insertion_order = true")
        yield connection
    except duckdb.Error as error:
        raise database_error(path, error) from error
    except RuntimeError as error:
        # Ctrl-C while a statement runs.
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from error
        raise
    finally:
        with contextlib.suppress(duckdb.Error):
            connection.close()


def spill_folder(path: Path) -> Path:
    """Return the folder for what does not fit into memory while a working database is written."""
    return path.parent / "spill"


def limit(connection: duckdb.DuckDBPyConnection, spill: Path) -> None:
    """Keep the engine within the memory of the settings; what does not fit goes to a folder that it makes and removes.

    Raises:
        SettingsError: the setting is no size.
    """
    quoted = str(spill.absolute()).replace("'", "''")
    connection.execute(f"set memory_limit = '{memory_limit()}'")
    connection.execute(f"set temp_directory = '{quoted}'")


def create_database(path: Path) -> None:
    """Make an empty database of the storage version that older clients read.

    It is made aside and gets its name when it is whole, so that a run killed at that moment leaves no half file under
    it. Where another run has made one meanwhile, that one stays: it may be written already.
    """
    import duckdb

    aside = path.with_name(f".{path.name}.{secrets.token_hex(2)}.new")
    try:
        with duckdb.connect() as connection:
            target = str(aside).replace("'", "''")
            connection.execute(f"attach '{target}' as fresh (storage_version '{STORAGE_VERSION}')")
            connection.execute("detach fresh")
        try:
            path.hardlink_to(aside)
        except OSError:
            # There is one, or the disk has no hard links, or the writer of the one that is there has cleared this away.
            if not path.exists():
                aside.replace(path)
    finally:
        with contextlib.suppress(OSError):
            aside.unlink()


def clear_unfinished(path: Path) -> None:
    """Remove the databases that killed runs have begun beside a working database; only its one writer may."""
    unfinished = re.compile(re.escape(f".{path.name}.") + r"[0-9a-f]{4}\.new(\.wal)?")
    with contextlib.suppress(OSError):
        for beside in path.parent.iterdir():
            if unfinished.fullmatch(beside.name):
                beside.unlink()


@contextlib.contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit at the end, or leave everything as it was."""
    connection.execute("begin transaction")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        with contextlib.suppress(Exception):
            connection.execute("rollback")
        raise


def table_exists(connection: duckdb.DuckDBPyConnection, schema: str, table: str) -> bool:
    """Whether a table is there."""
    query = "select 1 from duckdb_tables() where schema_name = ? and table_name = ?"
    return bool(connection.execute(query, [schema, table]).fetchall())


def database_error(path: Path, error: Exception) -> IngestError:
    """Say in one sentence what kept the engine from working."""
    text = str(error).split("\n")[0]
    lowered = text.lower()
    if "could not set lock" in lowered or "already open" in lowered or "being used by another process" in lowered:
        return IngestError(
            f"expected to be the only writer of {path}, found another one; wait until it has ended ({text})"
        )
    if "no space" in lowered or "disk full" in lowered or "could not write" in lowered:
        return IngestError(f"expected room on the disk of {path}, found none; the last tables are unchanged ({text})")
    if "could not read enough" in lowered or "corrupt" in lowered or "checksum" in lowered:
        return IngestError(f"expected a whole DuckDB database in {path}, found a damaged one; move it away ({text})")
    if "not a valid duckdb database" in lowered:
        return IngestError(f"expected a DuckDB database in {path}, found another file; move it away ({text})")
    return IngestError(f"expected to write {path}, found: {text}; the last tables are unchanged")
