"""The command line of the export step; heavy imports wait until a command needs them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer


@contextmanager
def told() -> Iterator[None]:
    """Print an expected failure as one message and end with code 1."""
    from exports.warehouse import ExportError

    try:
        yield
    except (ExportError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(1) from None


def export(
    processes: Annotated[int, typer.Option(help="Threads of the writer and processes of the loader.", min=1)] = 2,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
) -> None:
    """Write the dataset folder and publish the warehouse.

    Everything is written beside the last edition and put in place when it is complete and checked. Exit code 1:
    nothing was changed.
    """
    from exports import edition
    from ingest.settings import load_settings

    with told():
        summary = edition.export(load_settings(), (lambda line: None) if quiet else edition.say_on_terminal, processes)
    if not quiet:
        print(edition.report(summary))
