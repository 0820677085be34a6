"""The command ``sphragis spark``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from exports.told import told


def spark(
    master: Annotated[
        str | None, typer.Option(help="Master of Spark, such as spark://host:7077; by default local, two cores.")
    ] = None,
    remote: Annotated[str | None, typer.Option(help="Address of a Connect server, such as sc://host.")] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting of Spark, such as spark.driver.memory=6g; may be repeated."),
    ] = None,
    db: Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.")] = None,
    target: Annotated[
        Path | None, typer.Option(help="What dbt has written; by default `target` of the checkout.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="Where Spark's tables are put; by default `spark` in the build folder.")
    ] = None,
) -> None:
    """Run the chain from words to splits on Spark, each model on Spark's own results, and compare it with DuckDB.

    Needs Java 17 and `pip install 'sphragis[spark]'`. Exit code 1: a table differs, or it could not be run.
    """
    import os

    from exports.warehouse import ExportError
    from portable.compared_run import compared_run
    from portable.report import report
    from runtime.checkout import project_root
    from runtime.settings import load_settings

    with told():
        settings = {}
        for pair in setting or []:
            name, is_set, value = pair.partition("=")
            if not is_set:
                raise ExportError(f"--set takes NAME=VALUE, not {pair!r}")
            settings[name] = value
        build = load_settings()
        written = target or Path(os.environ.get("DBT_TARGET_PATH") or project_root(ExportError) / "target")
        say = (lambda line: print(line, file=sys.stderr)) if sys.stderr.isatty() else (lambda line: None)
        place = (folder or build.build / "spark").absolute()
        made = compared_run(db or build.db, written, place, master, remote, settings, say)
        where = remote or master or "local[2]"
        head = [f"Spark on {where}; {made.input_rows:,} rows handed over"]
        print(report(made.compared, made.seconds, made.duckdb_seconds, head))
    if not all(one.is_equal for one in made.compared):
        raise typer.Exit(1)
