"""A table of Spark beside the one of DuckDB, as multisets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from portable.engine import quoted

if TYPE_CHECKING:
    import duckdb

SHOWN = 3
"""Rows of a side that are shown where tables differ."""

KINDS = (
    (r"\b(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER)\b", "whole number"),
    (r"\b(?:DOUBLE|FLOAT)\b|\bDECIMAL\(\d+,\d+\)", "number"),
)
"""Types of one kind are compared by value: Spark counts rows in INTEGER where DuckDB takes BIGINT."""


@dataclass(frozen=True)
class Compared:
    """A table of both engines.

    Attributes:
        relation: `schema.name`.
        rows: of DuckDB.
        spark_rows: of Spark.
        only_duckdb: rows that Spark does not have, a repeated one as often as it is missing.
        only_spark: rows that DuckDB does not have.
        columns: what differs in names, order or kinds of columns; empty when nothing does.
        examples: some of the rows that differ, each with the engine that has it.
    """

    relation: str
    rows: int
    spark_rows: int
    only_duckdb: int
    only_spark: int
    columns: tuple[str, ...] = ()
    examples: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    @property
    def different(self) -> int:
        """Rows that one of the engines has and the other has not."""
        return self.only_duckdb + self.only_spark

    @property
    def is_equal(self) -> bool:
        """Whether columns and rows agree."""
        return not (self.different or self.columns)


def kind_of(kind: str) -> str:
    """Return a type as far as both engines have it.

    >>> kind_of("STRUCT(a BIGINT, b VARCHAR)[]")
    'STRUCT(a whole number, b VARCHAR)[]'
    """
    for pattern, name in KINDS:
        kind = re.sub(pattern, name, kind)
    return kind.replace('"', "")


def compare(con: duckdb.DuckDBPyConnection, relation: str, folder: Path) -> Compared:
    """Compare a relation of the warehouse with the Parquet files of a folder.

    Args:
        con: the warehouse.
        relation: `schema.name`.
        folder: what Spark has written.
    """
    schema, _, name = relation.partition(".")
    here, there = f'"{schema}"."{name}"', f"read_parquet('{quoted(folder)}/*.parquet')"
    own = {column: str(kind) for column, kind, *_ in con.execute(f"describe {here}").fetchall()}
    found = {column: str(kind) for column, kind, *_ in con.execute(f"describe select * from {there}").fetchall()}
    wrong = differing_columns(own, found)
    rows, spark_rows = (con.execute(f"select count(*) from {source}").fetchall()[0][0] for source in (here, there))
    if list(own) != list(found):
        return Compared(relation, rows, spark_rows, rows, spark_rows, wrong)
    columns = ", ".join(f'"{column}"' for column in own)
    cast = ", ".join(f'"{column}"::{kind} as "{column}"' for column, kind in own.items())
    sides = {"duckdb": f"select {columns} from {here}", "spark": f"select {cast} from {there}"}
    counts, examples = {}, []
    for side, other in (("duckdb", "spark"), ("spark", "duckdb")):
        con.execute(f"create or replace temp table only_here as ({sides[side]}) except all ({sides[other]})")
        counts[side] = con.execute("select count(*) from only_here").fetchall()[0][0]
        shown = con.execute(f"select * from only_here order by all limit {SHOWN}").fetchall()
        examples += [(side, row) for row in shown]
    return Compared(relation, rows, spark_rows, counts["duckdb"], counts["spark"], wrong, tuple(examples))


def differing_columns(own: dict[str, str], found: dict[str, str]) -> tuple[str, ...]:
    """Return in words what differs between the columns of DuckDB and those of Spark.

    >>> differing_columns({"a": "BIGINT", "b": "VARCHAR"}, {"a": "INTEGER", "b": "DOUBLE"})
    ('b is VARCHAR in DuckDB and DOUBLE in Spark',)
    """
    if list(own) != list(found):
        return (f"DuckDB has the columns {', '.join(own)}; Spark has {', '.join(found)}",)
    return tuple(
        f"{column} is {kind} in DuckDB and {found[column]} in Spark"
        for column, kind in own.items()
        if kind_of(kind) != kind_of(found[column])
    )
