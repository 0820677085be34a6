"""Plain SQL over the warehouse for readers: one statement that only reads, as a table, CSV, Parquet or CoNLL-U."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from exports.ask import conllu
from exports.ask.reading import SECONDS, time_limit
from exports.warehouse import ExportError

if TYPE_CHECKING:
    import duckdb

AT_A_TIME = 10_000
"""Rows that are held at a time when they are written to a file."""

FUNCTIONS = frozenset(
    (
        *("range", "generate_series", "repeat", "unnest", "json_each", "json_tree", "histogram", "histogram_values"),
        *("duckdb_columns", "duckdb_tables", "duckdb_views", "duckdb_functions", "duckdb_schemas", "pragma_table_info"),
    )
)
"""Functions of the engine that may stand after `from`, beside the table macros of the warehouse itself."""

MACROS = """
    select function_name
    from duckdb_functions()
    where database_name = current_database() and function_type = 'table_macro'
"""
POSITIONS = ("position", "token_index")
"""Columns that name the word of a hit."""


class QueryError(ExportError):
    """A statement that cannot be run: what is wrong, with the line and the place in it."""


@dataclass(frozen=True)
class Table:
    """What came of a statement.

    Attributes:
        columns: names of the columns.
        rows: the first rows.
        is_whole: whether there are no others.
        total: number of all rows; None where they were not counted.
    """

    columns: list[str]
    rows: list[tuple[Any, ...]]
    is_whole: bool
    total: int | None = None


def askable(text: str) -> str:
    """Return the text of an analysis as any client can ask it: every `ref` of dbt is the table that it names.

    >>> askable("select * from {{ ref('corpus_sentence_fates') }}")
    'select * from corpus.sentence_fates'
    """
    return re.sub(r"\{\{ ref\('([a-z]+)_([a-z_]+)'\) \}\}", r"\1.\2", text)


def checked(con: duckdb.DuckDBPyConnection, text: str) -> str:
    """Return a text as the one statement that it is, without its semicolon.

    Args:
        con: a warehouse.
        text: what was asked.

    Raises:
        QueryError: it is no statement, or another than one that reads, or it reads by a function that does more.
    """
    import duckdb as engine

    try:
        statements = con.extract_statements(text)
    except engine.Error as error:
        raise QueryError(told(error)) from error
    if len(statements) != 1:
        raise QueryError(f"expected one statement, found {len(statements)}: write `select ...` or `from ...`")
    statement = str(statements[0].query).strip().rstrip(";")
    serialized = con.execute("select json_serialize_sql(?::varchar)", [statement]).fetchall()[0][0]
    tree = json.loads(serialized)
    if tree.get("error"):
        raise QueryError("expected a statement that only reads: `select ...`, `from ...` or `with ...`")
    known = FUNCTIONS | {str(name) for (name,) in con.execute(MACROS).fetchall()}
    if unknown := sorted(functions_of(tree) - known):
        raise QueryError(f"the function {unknown[0]} cannot stand after `from` here: it reads more than the warehouse")
    return statement


def functions_of(tree: Any) -> set[str]:
    """Return the functions that stand in the place of tables in a statement, as the engine has read it."""
    found: set[str] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if node.get("type") == "TABLE_FUNCTION":
                found.add(str(node["function"]["function_name"]).lower())
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return found


def told(error: Exception) -> str:
    """Return what the engine says about a statement: its message, and the line with a mark below the place."""
    return "\n".join(line.rstrip() for line in str(error).splitlines() if line.strip())


class Asked:
    """A statement that runs: its columns, and its rows a part at a time.

    Args:
        con: a warehouse, best from `opened`.
        text: the statement.

    Raises:
        QueryError: it cannot be run.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, text: str) -> None:
        import duckdb as engine

        self.con, self.statement = con, checked(con, text)
        try:
            self.cursor = con.execute(self.statement)
        except engine.InterruptException:
            raise
        except engine.Error as error:
            raise QueryError(told(error)) from error
        self.columns = [str(item[0]) for item in self.cursor.description or []]

    def rows(self, most: int) -> list[tuple[Any, ...]]:
        """Return the next rows, at most so many.

        Raises:
            QueryError: a value cannot be computed.
        """
        import duckdb as engine

        try:
            return list(self.cursor.fetchmany(most))
        except engine.InterruptException:
            raise
        except engine.Error as error:
            raise QueryError(told(error)) from error

    def parts(self) -> Iterator[list[tuple[Any, ...]]]:
        """Yield all rows, some thousands at a time."""
        while part := self.rows(AT_A_TIME):
            yield part


def run(
    con: duckdb.DuckDBPyConnection, text: str, limit: int, seconds: float = SECONDS, is_counted: bool = False
) -> Table:
    """Return the first rows of a statement.

    Args:
        con: a warehouse, best from `opened`.
        text: the statement.
        limit: most rows returned.
        seconds: time that it may take.
        is_counted: count all rows, too.

    Raises:
        QueryError: it cannot be run.
        ExportError: it took too long.
    """
    with time_limit(con, seconds):
        asked = Asked(con, text)
        rows = asked.rows(limit + 1)
        is_whole = len(rows) <= limit
        total = len(rows) if is_whole else None
        if is_counted and not is_whole:
            total = con.execute(f"select count(*) from (\n{asked.statement}\n)").fetchall()[0][0]
    return Table(asked.columns, rows[:limit], is_whole, total)


def write_csv(con: duckdb.DuckDBPyConnection, text: str, out: TextIO, seconds: float = SECONDS) -> int:
    """Write all rows of a statement as CSV with one header line, and return their number."""
    count = 0
    with time_limit(con, seconds):
        asked = Asked(con, text)
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(asked.columns)
        for part in asked.parts():
            writer.writerows(part)
            count += len(part)
    return count


def write_parquet(con: duckdb.DuckDBPyConnection, text: str, path: Path, seconds: float = SECONDS) -> int:
    """Write all rows of a statement as Parquet, and return their number; a file that is not whole does not stay."""
    import pyarrow.parquet as pq

    count = 0
    aside = path.with_name(f".{path.name}.new")
    try:
        with time_limit(con, seconds):
            reader = con.sql(checked(con, text)).to_arrow_reader(AT_A_TIME)
            with pq.ParquetWriter(aside, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
                    count += batch.num_rows
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    return count


def as_conllu(
    con: duckdb.DuckDBPyConnection, text: str, layer: str = "ud", seconds: float = SECONDS
) -> tuple[list[str], int]:
    """Return the sentences that a statement names as CoNLL-U, and the number of rows that name none.

    The sentences are those of its column `sentence_id`, each once, in the order of their first rows. A column
    `position` or `token_index` marks the word of the row, under the name `Hit=hit`.

    Args:
        con: a warehouse, best from `opened`.
        text: the statement.
        layer: one of `exports.ask.conllu.LAYERS`.
        seconds: time that it may take.

    Raises:
        QueryError: it cannot be run, or has no column sentence_id.
        ExportError: it took too long, or a sentence has no words in the layer.
    """
    with time_limit(con, seconds):
        asked = Asked(con, text)
        if "sentence_id" not in asked.columns:
            raise QueryError(f"CoNLL-U needs a column sentence_id, found {', '.join(asked.columns)}")
        where = asked.columns.index("sentence_id")
        place = next((asked.columns.index(name) for name in POSITIONS if name in asked.columns), None)
        rows = [(row[where], row[place] if place is not None else None) for part in asked.parts() for row in part]
        return sentences_of(con, rows, layer)


def sentences_of(con: duckdb.DuckDBPyConnection, rows: Sequence[tuple[Any, Any]], layer: str) -> tuple[list[str], int]:
    """Return the sentences of rows of sentence and position as CoNLL-U, and the number of rows that name none."""
    numbers = conllu.numbers_of(con, {str(name) for name, _ in rows})
    hits: dict[int, list[conllu.Marks]] = {}
    lost = 0
    for name, position in rows:
        number = numbers.get(str(name))
        if number is None:
            lost += 1
            continue
        marks = hits.setdefault(number, [])
        if isinstance(position, int) and layer != "native":
            marks.append({"hit": position})
    return list(conllu.as_conllu(con, layer, hits)), lost


def where(condition: str, layer: str, scope: int) -> str:
    """Return the statement for the sentences of a condition over corpus.sentences that have a tree in a layer.

    Args:
        condition: as after `where`.
        layer: ud, published, machine or native.
        scope: the greatest scope of the sentences.
    """
    return (
        f"select sentence_id from corpus.sentences as sentences where (\n{condition}\n) and sentence_number in "
        f"(select sentence_number from corpus.trees where layer = '{layer}' and scope <= {scope}) "
        "order by sentence_number"
    )


def as_text(table: Table) -> str:
    """Return a table for a terminal: columns below each other, numbers to the right."""
    from exports.ask.tree import width
    from runtime.command import visible

    cells = [table.columns, *([shown(value) for value in row] for row in table.rows)]
    cells = [[visible(cell) for cell in row] for row in cells]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    numeric = [
        all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in column if value is not None)
        for column in zip(*table.rows, strict=True)
    ] or [False] * len(widths)
    lines = []
    for row in cells:
        padded = [
            " " * (space - width(cell)) + cell if is_number else cell + " " * (space - width(cell))
            for cell, space, is_number in zip(row, widths, numeric, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def shown(value: Any) -> str:
    """Return a value for a cell: nothing for null."""
    return "" if value is None else str(value)
