"""What a command of an edition tells when it fails, and which folder it works on; heavy imports wait."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from runtime.command import short
from runtime.told import telling

Folder = Annotated[Path | None, typer.Option(help="Dataset folder; by default that of the build.")]


def told() -> AbstractContextManager[None]:
    """Print an expected failure of an edition as one message and end with code 1."""
    from exports.warehouse import ExportError

    return telling(ExportError, ValueError)


def as_utf8(name: str) -> str:
    """Return a name that was typed, as text.

    Raises:
        ExportError: its bytes are no UTF-8, so that it can be the name of nothing.
    """
    from exports.warehouse import ExportError

    try:
        return os.fsencode(name).decode("utf-8")
    except UnicodeError:
        raise ExportError(f"expected a name in UTF-8, found '{short(name)}'") from None


def dataset_folder(folder: Path | None) -> Path:
    """Return the dataset folder that a command works on: of one edition, also when the next is put in place meanwhile.

    Raises:
        ExportError: there is none.
    """
    from exports.warehouse import ExportError
    from runtime.settings import load_settings

    found = folder or load_settings().hub
    edition = found.resolve()
    if not (edition / "data").is_dir():
        raise ExportError(f"no dataset in {found}: run `make build` first, or name one with --folder")
    return edition
