"""Runs models on Spark, each on what Spark has made of those before it."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError
from portable.functions import register
from portable.models import Model
from portable.rewrites import to_spark, view_name
from portable.stand_ins import STAND_INS

if TYPE_CHECKING:
    import duckdb
    from pyspark.sql import SparkSession

SETTINGS = {
    # No page of its own: nobody looks at it.
    "spark.ui.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    # A sentence is as deep as it is, and the models say themselves where they end.
    "spark.sql.cteRecursionLevelLimit": "-1",
    "spark.sql.cteRecursionRowLimit": "-1",
}
"""Settings of a session that this command makes; what is added by `--set` goes before."""

EXACT = {"HUGEINT": "BIGINT", "UHUGEINT": "BIGINT", "UBIGINT": "BIGINT", "UINTEGER": "BIGINT", "USMALLINT": "INTEGER"}
"""Types that Parquet or Spark do not have, and those that hold the values; a value that does not fit is an error."""


@dataclass(frozen=True)
class Made:
    """A table that Spark has made: its model, where it lies, and the seconds that it took."""

    model: Model
    folder: Path
    seconds: float


@contextlib.contextmanager
def spark_session(master: str | None, remote: str | None, settings: dict[str, str]) -> Iterator[SparkSession]:
    """Open a session of Spark, and close it at the end.

    Args:
        master: a master such as `local[2]` or `spark://host:7077`.
        remote: the address of a Connect server, such as `sc://host`; goes before `master`.
        settings: further settings of Spark, by name.

    Raises:
        ExportError: pyspark or Java are not there, or the session cannot be opened.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise ExportError(f"expected pyspark, found none ({error}): pip install 'sphragis[spark]'") from error
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    builder: Any = SparkSession.builder.appName("sphragis")
    # What a server is started with cannot be set from outside.
    chosen = settings if remote else {**SETTINGS, **settings}
    builder = builder.remote(remote) if remote else builder.master(master or "local[2]")
    for name, value in chosen.items():
        builder = builder.config(name, value)
    try:
        spark = builder.getOrCreate()
        for name, value in SETTINGS.items():
            if name.startswith("spark.sql.") and name not in settings:
                spark.conf.set(name, value)
    except Exception as error:  # Java's own errors come as many classes
        raise ExportError(f"no session of Spark: {first_line(error)}") from error
    if not remote:
        spark.sparkContext.setLogLevel("OFF")
    try:
        register(spark)
        yield spark
    finally:
        spark.stop()


def first_line(error: Exception) -> str:
    """Return the first line of what an error tells, or its kind."""
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)[:300]


def hand_over(con: duckdb.DuckDBPyConnection, spark: SparkSession, relation: str, folder: Path) -> int:
    """Write a relation of the warehouse as Parquet, show it to Spark under its name, and return its number of rows.

    Args:
        con: the warehouse.
        spark: the session.
        relation: `schema.name`.
        folder: where the file is put; both see it.
    """
    schema, _, name = relation.partition(".")
    columns = con.execute(f'describe "{schema}"."{name}"').fetchall()
    chosen = ", ".join(
        f'"{column}"::{EXACT[kind]} as "{column}"' if kind in EXACT else f'"{column}"' for column, kind, *_ in columns
    )
    path = folder / f"{relation}.parquet"
    con.execute(f"""copy (select {chosen} from "{schema}"."{name}") to '{quoted(path)}' (format parquet)""")
    spark.read.parquet(str(path)).createOrReplaceTempView(view_name(relation))
    (found,) = con.execute(f"select count(*) from read_parquet('{quoted(path)}')").fetchall()
    return int(found[0])


def quoted(path: Path) -> str:
    """Return a path as it stands in a text of SQL."""
    return str(path).replace("'", "''")


def run(
    spark: SparkSession, models: Sequence[Model], folder: Path, say: Callable[[str], None] = lambda line: None
) -> Iterator[Made]:
    """Run models in their order, each on the tables that Spark has made, and yield what was made.

    Args:
        spark: a session that sees what the models read and none of them makes.
        models: in an order in which they can run.
        folder: where the tables are put, each in a folder of Parquet files.
        say: called with a line before each model.

    Raises:
        ExportError: Spark refuses a model or fails at it.
    """
    for model in models:
        say(model.name)
        place = folder / model.relation
        started = time.monotonic()
        try:
            if stand_in := STAND_INS.get(model.name):
                frame = stand_in.make(spark, model)
            else:
                frame = spark.sql(to_spark(model.sql, model.name))
            frame.write.mode("overwrite").parquet(str(place))
            spark.read.parquet(str(place)).createOrReplaceTempView(view_name(model.relation))
        except ExportError:
            raise
        except Exception as error:  # Java's own errors come as many classes
            raise ExportError(f"Spark fails at {model.name}: {first_line(error)}") from error
        yield Made(model, place, time.monotonic() - started)
