"""The warehouse opened for questions of others: read-only, nothing beside it, and not for longer than allowed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from exports.warehouse import ExportError, open_read_only

if TYPE_CHECKING:
    import duckdb

SECONDS = 60.0
"""Time that a question may take, unless it is told otherwise."""

SPILL = "4GB"
"""Disk that a question may take beside the memory of the settings: pairs of unrelated nodes would fill it."""

CLOSED = (
    "set python_enable_replacements = false",
    "set enable_external_access = false",
    "set lock_configuration = true",
)
"""What shuts a connection off: variables of this program, files and network, and every setting."""


@contextmanager
def opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a warehouse for questions: read-only, no files, no network, settings locked.

    Raises:
        ExportError: it cannot be opened.
    """
    with open_read_only(path) as con:
        con.execute(f"set max_temp_directory_size = '{SPILL}'")
        for statement in CLOSED:
            con.execute(statement)
        yield con


@contextmanager
def time_limit(con: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """Interrupt what a connection does after some seconds.

    Raises:
        ExportError: it took longer.
    """
    import duckdb as engine

    is_over, is_done = threading.Event(), threading.Event()

    def stop() -> None:
        if not is_done.wait(seconds):
            is_over.set()
            # Again and again: between two statements there is nothing to interrupt.
            con.interrupt()
            while not is_done.wait(0.05):
                con.interrupt()

    watch = threading.Thread(target=stop, daemon=True)
    watch.start()
    try:
        yield
    except (engine.InterruptException, RuntimeError) as error:
        if not is_over.is_set():
            raise
        raise ExportError(
            f"the request took longer than {seconds:g} seconds and was ended: add conditions, or allow more (--seconds)"
        ) from error
    finally:
        is_done.set()
        watch.join()
