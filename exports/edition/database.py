"""The published copy of the warehouse, for any DuckDB client from 1.4 on.

The copy is made in the folder of the next edition and published with it: a reader who has the last one open
keeps reading it. A working database that is in the older format already, and has little free space in
it, is copied as a file, which takes a second. One that is not (made by another program, or full of holes
after many rebuilds) is written anew, table by table, and compared with the original.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError
from runtime.database import limit

if TYPE_CHECKING:
    import duckdb

STORAGE_VERSION = "v1.4.0"

WORKING, PUBLISHED = "sphragis_working", "sphragis_published"
"""Names of the two databases for the time of the copy; no schema or table has such a name."""

MOST_FREE = 0.25
"""Share of free blocks from which the copy is written anew instead of copied with its holes."""

CATALOG = """
    select 'table' as kind, schema_name, table_name as name, comment, '' as definition
    from duckdb_tables() where database_name = '{0}' and not internal
    union all
    select 'view', schema_name, view_name, comment, sql
    from duckdb_views() where database_name = '{0}' and not internal
    union all
    select 'column', schema_name, table_name || '.' || column_name, comment, data_type
    from duckdb_columns()
    -- the columns of a view are known only after it was used once: compare those with a comment
    where database_name = '{0}' and not internal and (comment is not null or exists (
        select 1 from duckdb_tables() as tables
        where tables.database_name = '{0}' and tables.table_oid = duckdb_columns.table_oid
    ))
    union all
    select function_type, schema_name, function_name, comment, macro_definition
    from duckdb_functions() where database_name = '{0}' and not internal
    order by all
"""


def _catalog(con: duckdb.DuckDBPyConnection, database: str) -> list[tuple[Any, ...]]:
    """Everything a reader sees of a database beside its rows: tables, views, macros, comments."""
    found = con.execute(CATALOG.format(database)).fetchall()
    # The text of a view names the database it stands in; the copy has another name for a moment.
    return [tuple(str(value).replace(f"{database}.", "") for value in row) for row in found]


def write_copy(work_db: Path, new: Path) -> Path:
    """Write the copy of the working database to `new`, which is not there yet, and return it.

    Raises:
        ExportError: the copy lacks a table, a view, a macro or a comment, or cannot be written.
    """
    import duckdb

    if not work_db.is_file():
        raise ExportError(f"no warehouse at {work_db}: run `make build` first")
    con = duckdb.connect()
    try:
        limit(con, new.parent.with_name(".spill"))
        # As long as it is attached, nobody else can write it.
        con.execute(f"attach '{_quoted(work_db)}' as {WORKING} (read_only)")
        if _can_be_copied(con, work_db):
            shutil.copyfile(work_db, new)
        else:
            con.execute(f"attach '{_quoted(new)}' as {PUBLISHED} (storage_version '{STORAGE_VERSION}')")
            con.execute(f"copy from database {WORKING} to {PUBLISHED}")
            before, after = _catalog(con, WORKING), _catalog(con, PUBLISHED)
            if before != after:
                lost = sorted(set(before) - set(after))[:3]
                raise ExportError(f"the copy of the warehouse is not complete, it lacks {lost}")
            con.execute(f"detach {PUBLISHED}")
    except duckdb.IOException as error:
        raise ExportError(f"cannot write {new}: {str(error).splitlines()[0]}") from error
    finally:
        con.close()
    return new


def _can_be_copied(con: duckdb.DuckDBPyConnection, work_db: Path) -> bool:
    """Return True when the working database is in the published format, whole in one file and without many holes."""
    if work_db.with_name(work_db.name + ".wal").exists():
        return False
    found = con.execute(
        f"select tags['storage_version'] from duckdb_databases() where database_name = '{WORKING}'"
    ).fetchall()
    if not str(found[0][0]).startswith(STORAGE_VERSION.rpartition(".")[0]):
        return False
    sizes = con.execute(
        f"select total_blocks, free_blocks from pragma_database_size() where database_name = '{WORKING}'"
    ).fetchall()
    total, free = sizes[0]
    return int(free) <= MOST_FREE * int(total)


def _quoted(path: Path) -> str:
    """Return a path for a quoted SQL string."""
    return str(path).replace("'", "''")
