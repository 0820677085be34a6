"""The command that runs dbt, and how an expected failure of an input or a setting is told."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Annotated

import typer

from runtime.told import telling


def told() -> AbstractContextManager[None]:
    """Print an expected failure of an input or a setting as one message and end with code 1."""
    from runtime.errors import IngestError

    return telling(IngestError)


def transform(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DBT ARGUMENTS]", help="The command of dbt and its options; by default `build`."),
    ] = None,
    if_changed: Annotated[
        bool, typer.Option("--if-changed", help="Run nothing when a whole run has made the tables from what is there.")
    ] = False,
) -> None:
    """Run dbt: the models and their tests. Quiet but for a line of progress on a terminal, and errors at once.

    Every error is told when it happens: what failed, its reason, the first rows, where the SQL is. The exit codes are
    those of dbt. 1: a model or a test failed. 2: dbt could not begin.
    """
    from runtime.checkout import project_root
    from runtime.errors import IngestError
    from runtime.made_from import is_made
    from runtime.settings import load_settings
    from runtime.transform import run

    with told():
        settings = load_settings()
        if if_changed and is_made(project_root(IngestError), settings):
            print("models: nothing has changed since the last whole run")
            return
    code = run(arguments or ["build"])
    if code:
        raise SystemExit(code)
