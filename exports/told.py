"""How a command of an edition tells what went wrong, and which folder it works on; heavy imports wait."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from runtime.command import short

Folder = Annotated[Path | None, typer.Option(help="Dataset folder; by default that of the build.")]


@contextmanager
def told() -> Iterator[None]:
    """Print an expected failure as one message and end with code 1."""
    from exports.warehouse import ExportError
    from runtime.command import say_error

    try:
        yield
    except UnicodeError as error:
        say_error(f"expected UTF-8, found {_faulty(error)}")
    except (ExportError, ValueError) as error:
        say_error(error)
    except OSError as error:
        if error.filename is None:
            raise
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        say_error(f"cannot use {short(name, 400)}: {error.strerror}")
    except Exception as error:
        # Those of the engine and of Arrow, which are not imported for this.
        if type(error).__module__.partition(".")[0] not in ("duckdb", "_duckdb", "pyarrow"):
            raise
        say_error(
            "expected a warehouse, or a dataset, of this version, found another or a damaged one: "
            f"{first_line(error)}; move it away and build anew"
        )
    else:
        return
    raise SystemExit(1)


def first_line(error: Exception) -> str:
    """Return the first line of a message, where the others only repeat what was asked."""
    return short((str(error).strip() or type(error).__name__).splitlines()[0])


def _faulty(error: UnicodeError) -> str:
    """Return the text that is no UTF-8, as far as the error knows it."""
    faulty = getattr(error, "object", None)
    if isinstance(faulty, bytes):
        faulty = faulty[max(0, error.start - 40) : error.end + 40].decode("utf-8", "backslashreplace")  # type: ignore[attr-defined]
    return f"'{short(faulty or error)}'"


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
