"""Failures of the system while an edition is made, as messages that say what to do and which edition is in place."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from exports.warehouse import ExportError
from runtime.command import visible


@contextmanager
def told(truth: Callable[[], str], build: Path) -> Iterator[None]:
    """Turn failures of the system into messages that name the place, and say what to do and which edition is there."""
    import duckdb

    try:
        yield
    except KeyboardInterrupt as error:
        error.add_note(truth())
        raise
    except duckdb.IOException as error:
        raise ExportError(
            f"cannot read the warehouse to its end: {str(error).splitlines()[0]}; it may be damaged: move it away and "
            f"build anew. {truth()}"
        ) from error
    except OSError as error:
        name = name_of(error) or build
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            what = f"no space left while writing {name}: free some, or set SPHRAGIS_BUILD to another disk"
        elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            what = f"cannot write {name}: {error.strerror}; set SPHRAGIS_BUILD to a folder you may write"
        else:
            what = f"cannot go on with {name}: {error.strerror or error}; run it again when that is mended"
        raise ExportError(f"{what}. {truth()}") from error


def name_of(error: OSError) -> str | None:
    """Return the path that an error of the system is about; None where a library does not know it."""
    return visible(os.fsdecode(error.filename)) if isinstance(error.filename, (str, bytes)) else None
