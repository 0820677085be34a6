"""How a command tells an expected failure: one message, and code 1; heavy imports wait."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from runtime.command import say_error, short

ENGINES = ("duckdb", "_duckdb", "pyarrow")
"""Libraries whose errors say that a file is not what it should be; they are not imported for this."""


@contextmanager
def telling(*expected: type[Exception]) -> Iterator[None]:
    """Print an expected failure as one message and end with code 1.

    Args:
        expected: kinds of errors whose text is the message. Names and files that the system, the engine or Arrow cannot
            use are told in any case.
    """
    try:
        yield
    except UnicodeError as error:
        say_error(f"expected UTF-8, found {_faulty(error)}")
    except expected as error:
        say_error(error)
    except OSError as error:
        if error.filename is None:
            raise
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        say_error(f"cannot use {short(name, 400)}: {error.strerror}")
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ENGINES:
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
