"""The chain from words to splits on Spark, and each of its tables beside that of DuckDB."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from exports.warehouse import ExportError, open_read_only, relations
from portable.compare import Compared, compare
from portable.engine import hand_over, run, spark_session
from portable.models import chain, inputs, model_seconds, read_models

LITTLE = 1_000_000
"""Rows of the inputs below which planning and compiling cost more than the work."""

FOR_LITTLE = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
"""Settings for little input: nothing is compiled, adapted or divided. They halve the time of the sample."""


def is_table(path: Path, known: Collection[str]) -> bool:
    """Tell whether a path has the name of a known table, `schema.name`, as Spark and `hand_over` write them."""
    return path.name.removesuffix(".parquet") in known


@dataclass(frozen=True)
class Run:
    """A run of the chain.

    Attributes:
        compared: its tables, in their order.
        seconds: of Spark, by relation, from the statement to the written files.
        duckdb_seconds: of DuckDB, by relation, as dbt has noted them.
        input_rows: rows that were handed over.
    """

    compared: list[Compared]
    seconds: dict[str, float]
    duckdb_seconds: dict[str, float]
    input_rows: int


def compared_run(
    db: Path,
    target: Path,
    folder: Path,
    master: str | None = None,
    remote: str | None = None,
    settings: Mapping[str, str] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Run:
    """Run the chain on Spark and compare its tables with those of a warehouse.

    Args:
        db: the warehouse of a finished dbt run; it is only read.
        target: what dbt has written in that run, with `manifest.json`.
        folder: where Spark's tables and its inputs are put; the warehouse, Spark and this program see it. It is
            emptied before.
        master: a master of Spark, `local[2]` by default.
        remote: the address of a Connect server; goes before `master`.
        settings: further settings of Spark.
        say: called with a line before each step.

    Raises:
        ExportError: something is missing, or Spark refuses a model or fails at it.
    """
    models = chain(read_models(target))
    wanted = inputs(models)
    with closing(open_read_only(db.resolve(), folder.with_name(folder.name + ".spill"))) as con:
        missing = sorted({*wanted, *(model.relation for model in models)} - relations(con))
        if missing:
            raise ExportError(f"{db} has no {missing[0]}: expected the warehouse of a finished run of these models")
        rows = sum(int(con.execute(f"select count(*) from {relation}").fetchall()[0][0]) for relation in wanted)
        known = relations(con)
        foreign = sorted(one.name for one in folder.glob("*") if not is_table(one, known))
        if foreign:
            raise ExportError(f"{folder / foreign[0]} is no table of Spark: name another folder with --folder")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        chosen = {**(FOR_LITTLE if rows < LITTLE and not remote else {}), **(settings or {})}
        compared, seconds = [], {}
        with spark_session(master, remote, chosen) as spark:
            for relation in wanted:
                say(f"{relation} to Spark")
                hand_over(con, spark, relation, folder)
            for made in run(spark, models, folder, say):
                compared.append(compare(con, made.model.relation, made.folder))
                seconds[made.model.relation] = made.seconds
    return Run(compared, seconds, model_seconds(target, models), rows)
