"""Reading the warehouse: open it read-only, ask what is there, fetch rows as dictionaries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb


class ExportError(Exception):
    """A failure that is told to the user in one message, with what to do about it."""


def open_read_only(path: Path, spill: Path | None = None) -> duckdb.DuckDBPyConnection:
    """Open a warehouse for reading.

    Args:
        path: the file.
        spill: folder for what does not fit into the memory of the settings; by default one beside the file.

    Raises:
        ExportError: the file is missing, held by a writer, or no DuckDB file.
    """
    import duckdb

    from runtime.database import limit

    if not path.is_file():
        raise ExportError(f"no warehouse at {path}: run `make build` first")
    try:
        con = duckdb.connect(str(path), read_only=True)
        limit(con, spill or path.with_name(path.name + ".tmp"))
        return con
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        if "lock" in reason.lower():
            advice = "is an ingest or dbt run still writing it? wait until it has ended"
        else:
            advice = "the file is damaged or no warehouse, move it away and build anew"
        raise ExportError(f"cannot open the warehouse {path}: {reason}; {advice}") from error


def relations(con: duckdb.DuckDBPyConnection) -> set[str]:
    """Names `schema.relation` of the tables and views of the warehouse."""
    rows = con.execute("select table_schema || '.' || table_name from information_schema.tables").fetchall()
    return {str(name) for (name,) in rows}


def columns(con: duckdb.DuckDBPyConnection, relation: str) -> list[str]:
    """Column names of `schema.relation`, in order; empty when it does not exist."""
    schema, _, name = relation.partition(".")
    rows = con.execute(
        "select column_name from information_schema.columns "
        "where table_schema = ? and table_name = ? order by ordinal_position",
        [schema, name],
    ).fetchall()
    return [str(column) for (column,) in rows]


def rows(con: duckdb.DuckDBPyConnection, query: str, *values: Any) -> list[dict[str, Any]]:
    """Rows of a query as dictionaries; the query states its order."""
    cursor = con.execute(query, list(values))
    names = [item[0] for item in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
