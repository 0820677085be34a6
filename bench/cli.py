"""The commands that measure one stage beside what would be picked instead."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exports.told import told
from runtime import cli

bench = typer.Typer(help="Measure one stage beside what would be picked instead.", no_args_is_help=True)


@bench.command()
def ingest(
    workers: Annotated[int, typer.Option(help="Processes that read; 0: one per core.", min=0)] = 0,
    repeats: Annotated[int, typer.Option(help="Runs of each reader; the median counts.", min=1)] = 3,
) -> None:
    """Measure the readers beside conllu.parse_incr and ElementTree.iterparse on the same files, in one run."""
    from bench.ingest import measure
    from runtime.settings import load_settings

    with cli.told():
        print(measure(load_settings(), workers=workers or None, repeats=repeats))


@bench.command()
def dedup(
    db: Annotated[
        Path | None, typer.Option(help="Warehouse with the 4-grams; by default the published one.", exists=True)
    ] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each side and size; the median counts.", min=1)] = 3,
    copies: Annotated[str, typer.Option(help="Sizes of the enlarged corpora, as multiples.")] = "1,4,16",
    renamed: Annotated[float, typer.Option(help="Share of the words renamed in every copy.", min=0, max=1)] = 0.5,
) -> None:
    """Measure the exact join of 4-grams beside datasketch's MinHashLSH on the same sets, and how the join grows.

    Run in the checkout: the models themselves are compiled and run on copies of their inputs.
    """
    from bench.dedup import measure
    from exports.warehouse import ExportError
    from runtime.settings import load_settings

    with told():
        if not all(size.strip().isdecimal() and int(size) for size in copies.split(",")):
            raise ExportError(f"--copies is a list of whole numbers such as 1,4,16, not {copies!r}")
        sizes = [int(size) for size in copies.split(",")]
        print(measure(db or load_settings().db, repeats, sizes, renamed))


@bench.command()
def scale(
    db: Annotated[
        Path | None, typer.Option(help="Warehouse that is enlarged; by default the published one.", exists=True)
    ] = None,
    factor: Annotated[list[int] | None, typer.Option(help="A size, as a multiple; may be repeated.", min=1)] = None,
) -> None:
    """Measure how text, deduplication and splits grow on perturbed copies: CPU seconds, memory, rows of pair tables.

    By default the sizes 1, 4 and 16, of which the last needs much time and disk on the treebanks. Run in the checkout:
    the models themselves are compiled and run on copies of their inputs, in the folder of the build.
    """
    from bench.scale import FACTORS, measure
    from runtime.settings import load_settings

    with told():
        settings = load_settings()
        print(measure(db or settings.db, settings.build, sorted(set(factor or FACTORS))))


@bench.command()
def export(
    configurations: Annotated[
        list[str] | None, typer.Argument(help="Configurations to write; by default the three of the main track.")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each side; the median counts.", min=1)] = 3,
) -> None:
    """Measure the writing of nested rows beside Python dictionaries and Dataset.from_list, on the same rows."""
    from bench.export import CONFIGURATIONS, measure
    from runtime.settings import load_settings

    with told():
        print(measure(load_settings().work_db, configurations or CONFIGURATIONS, repeats))


@bench.command()
def parser(
    backends: Annotated[
        list[str] | None, typer.Argument(help="crossfit, spacy (where it is installed); by default crossfit.")
    ] = None,
    fold: Annotated[int, typer.Option(help="The fold that is parsed; the others train.", min=0)] = 3,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting of the profile, such as epochs=2; may be repeated."),
    ] = None,
    db: Annotated[Path | None, typer.Option(help="Warehouse with folds; by default the published one.")] = None,
) -> None:
    """Train a parser on all folds but one, parse that one, and print agreement with the human layer, seconds, memory.

    Takes the time of a whole fold: a quarter of an hour on the treebanks.
    """
    from bench.parser import BACKENDS, measure
    from exports.warehouse import ExportError
    from runtime.settings import load_settings

    with told():
        changes: dict[str, float] = {}
        for pair in setting or []:
            name, _, value = pair.partition("=")
            try:
                changes[name] = int(value) if value.isdecimal() else float(value)
            except ValueError:
                raise ExportError(f"--set takes NAME=NUMBER, not {pair!r}") from None
        unknown = sorted(set(backends or []) - set(BACKENDS))
        if unknown:
            raise ExportError(f"the backends are {', '.join(BACKENDS)}, not {unknown[0]}")
        print(measure(db or load_settings().db, backends or ["crossfit"], fold, changes))


@bench.command()
def score(
    times: Annotated[int, typer.Option(help="Simulations of each kind.", min=1)] = 2000,
    table: Annotated[
        bool, typer.Option("--table", help="Only coverage of t over works, as CSV: score/coverage.csv is made so.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the simulations of --table.", min=0)] = 1,
) -> None:
    """Measure how often intervals of the scorer cover a truth that is known, and how often its tests err.

    Takes some minutes with the default.
    """
    from bench.score import coverage_table, measure

    print(coverage_table(times, seed) if table else measure(times), end="" if table else "\n")


@bench.command()
def match(
    requests: Annotated[
        Path | None,
        typer.Option(
            help="Folder with requests, one in each file *.req; by default our own.", exists=True, file_okay=False
        ),
    ] = None,
    db: Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.", exists=True)] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each statement; the median counts.", min=1)] = 3,
) -> None:
    """Measure requests of patterns beside a plain matcher over dictionaries and loops over udapi's trees, in one run.

    All have to come to the same hits; exits with 1 when they do not. Takes some minutes on the treebanks.
    There are loops for our own requests only.
    """
    from bench.match import measure
    from exports.ask.patterns import RequestError
    from runtime.command import say_error
    from runtime.settings import load_settings

    with told():
        try:
            told_table, is_equal = measure(db or load_settings().db, requests, repeats)
        except RequestError as error:
            say_error(error)
            raise typer.Exit(2) from error
    print(told_table)
    if not is_equal:
        raise typer.Exit(1)
