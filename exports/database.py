"""The published copy of the warehouse, for any DuckDB client from 1.4 on.

The working database is written by DuckDB 2 in its own format, which older clients cannot open, and
holds the free space of all rebuilds. The copy is written anew in the older format, beside the published
file, and takes its place in one step: a reader who has the last one open keeps reading it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports import swap
from exports.warehouse import ExportError

if TYPE_CHECKING:
    import duckdb

STORAGE_VERSION = "v1.4.0"

WORKING, PUBLISHED = "sphragis_working", "sphragis_published"
"""Names of the two databases for the time of the copy; no schema or table has such a name."""

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


def write_copy(work_db: Path, target: Path) -> Path:
    """Write the copy of the working database beside `target` and return its path.

    Raises:
        ExportError: the copy lacks a table, a view, a macro or a comment, or cannot be written.
    """
    import duckdb

    new = swap.new_name(target)
    for leftover in (new, new.with_name(new.name + ".wal")):
        leftover.unlink(missing_ok=True)
    if not work_db.is_file():
        raise ExportError(f"no warehouse at {work_db}: run `make build` (or `dbt build`) first")
    con = duckdb.connect()
    try:
        con.execute(f"attach '{_quoted(work_db)}' as {WORKING} (read_only)")
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


def _quoted(path: Path) -> str:
    """Return a path inside a quoted SQL string."""
    return str(path).replace("'", "''")
