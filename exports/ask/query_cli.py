"""The command ``sphragis query``, and how a statement that cannot be run is told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from exports.told import as_utf8, told
from runtime.command import short


def query(
    statement: Annotated[
        str, typer.Argument(metavar="FILE.sql|-", help="A file with one statement, or - for the input.")
    ],
    csv: Annotated[Path | None, typer.Option(help="Write all rows as CSV into this file, - for the output.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="Write all rows as Parquet into this file.")] = None,
    conllu: Annotated[
        Path | None, typer.Option(help="Write the sentences of its column sentence_id as CoNLL-U, - for the output.")
    ] = None,
    layer: Annotated[str, typer.Option(help="With --conllu: ud, published, native, machine or human.")] = "ud",
    limit: Annotated[int, typer.Option(min=0, help="Most rows that are printed.")] = 100,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time that it may take.")] = 60.0,
    db: Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.")] = None,
) -> None:
    """Ask the warehouse in SQL: one statement that only reads, without access to files or the network.

    Exit code 2: the statement is wrong, and where. Exit code 1: it took too long, or cannot be written.
    """
    from exports.ask import query as asking
    from exports.ask.conllu import layer_to_write
    from exports.ask.reading import opened
    from runtime.settings import load_settings

    with told(), opened(db or load_settings().db) as con, wrong_statement():
        text = read_statement(statement)
        layer_to_write(layer)
        if csv:
            with output(csv) as out:
                rows = asking.write_csv(con, text, out, seconds)
            print(f"{rows:,} rows", file=sys.stderr)
        if parquet:
            print(f"{asking.write_parquet(con, text, parquet, seconds):,} rows", file=sys.stderr)
        if conllu:
            sentences, lost = asking.as_conllu(con, text, layer, seconds)
            with output(conllu) as out:
                out.writelines(sentences)
            without = f"; {lost:,} rows name no sentence" if lost else ""
            print(f"{len(sentences):,} sentences{without}", file=sys.stderr)
        if not (csv or parquet or conllu):
            table = asking.run(con, text, limit, seconds, is_counted=True)
            sys.stdout.write(asking.as_text(table))
            if not table.is_whole:
                print(f"the first {len(table.rows):,} of {table.total:,} rows: --limit N, --csv FILE", file=sys.stderr)


def read_statement(name: str) -> str:
    """Return what a file of SQL says, or the standard input; a question of the cookbook as it can be asked.

    Raises:
        QueryError: there is no such file.
        UnicodeError: it is no UTF-8.
    """
    from exports.ask.query import QueryError, askable

    if name == "-":
        return askable(sys.stdin.buffer.read().decode("utf-8-sig"))
    path = Path(as_utf8(name))
    if not path.is_file():
        raise QueryError(
            f"no file {short(name)}: write the statement into one, or `echo 'select ...' | sphragis query -`"
        )
    return askable(path.read_text(encoding="utf-8-sig"))


@contextmanager
def output(path: Path) -> Iterator[TextIO]:
    """Open a file for writing, or the standard output for `-`."""
    if str(path) == "-":
        yield sys.stdout
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        yield file


@contextmanager
def wrong_statement() -> Iterator[None]:
    """Tell what is wrong with a statement or request, and end with code 2."""
    from exports.ask.patterns.faults import RequestError
    from exports.ask.query import QueryError
    from runtime.command import visible

    try:
        yield
    except (QueryError, RequestError) as error:
        print(f"error: {visible(error, lines=True)}", file=sys.stderr)
        raise SystemExit(2) from error
