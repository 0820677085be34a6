"""Progress with rates on a terminal; nothing where the output is a file or a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from runtime import command


class Advance(Protocol):
    """Say that so many more bytes and rows are done."""

    def __call__(self, size: int, rows: int) -> None:
        """Add bytes and rows to what is done."""


@contextmanager
def progress(label: str, total: int, quiet: bool = False) -> Iterator[Advance]:
    """Show one line with percent, megabytes and rows per second, redrawn ten times a second at most.

    Args:
        label: what is going on.
        total: bytes to be done in all.
        quiet: show nothing even on a terminal.
    """
    begin = time.monotonic()
    done = [0, 0]
    drawn = [0.0]
    visible = not quiet and sys.stderr.isatty() and total > 0

    def draw() -> None:
        seconds = max(time.monotonic() - begin, 1e-6)
        command.draw(
            f"{label}: {100 * done[0] // total:3d} %  {done[0] / 1e6:,.0f} of {total / 1e6:,.0f} MB  "
            f"{done[0] / 1e6 / seconds:,.1f} MB/s  {done[1] / seconds:,.0f} rows/s"
        )

    def advance(size: int, rows: int) -> None:
        done[0] += size
        done[1] += rows
        if visible and time.monotonic() - drawn[0] > 0.1:
            drawn[0] = time.monotonic()
            draw()

    try:
        yield advance
    finally:
        if visible:
            draw()
            command.draw(None)
