"""What a whole run is made from: while none of it changes, a run would make the same tables and the same edition again.

The input is known by `raw.present_input`, all else by the fingerprint here: the programs and the project of the
checkout, what is installed, the settings, and the files that these name.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from runtime.checkout import MADE_FROM, MARK
from runtime.files import sha256

if TYPE_CHECKING:
    from runtime.settings import Settings

ROOMS = ("runtime", "ingest", "machine", "score", "exports")
"""Folders of the programs that make an edition."""

OF_THE_MACHINE = ("SPHRAGIS_MEMORY", "SPHRAGIS_THREADS", "SPHRAGIS_KEEP")
"""Settings that change how something is made, and not what."""


def fingerprint(root: Path, settings: Settings) -> str:
    """Return a checksum of everything but the input that tables and edition are made from.

    Args:
        root: the checkout.
        settings: those of the build.
    """
    listed = hashlib.sha256()
    for line in sorted(_lines(root, settings)):
        listed.update(f"{line}\n".encode(errors="surrogateescape"))
    return listed.hexdigest()


def _lines(root: Path, settings: Settings) -> Iterator[str]:
    from importlib.metadata import distributions

    yield f"python {sys.version}"
    yield from {f"{one.name} {one.version}" for one in distributions()}
    for name, value in os.environ.items():
        if name.startswith("SPHRAGIS_") and name not in OF_THE_MACHINE:
            yield f"{name}={value}"
    of_checkout = [root / name for name in (*ROOMS, *MADE_FROM, MARK, "profiles.yml", "CITATION.cff")]
    of_settings = [place for place in (settings.build / "baselines", settings.parse, settings.audits) if place]
    for place in [*of_checkout, *(root / "tests").rglob("*.sql"), *of_settings]:
        for path in place.rglob("*") if place.is_dir() else [place]:
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{sha256(path)}  {path}"


def is_made(root: Path, settings: Settings) -> bool:
    """Whether the last whole run has made the tables from all that is there now, with the variables of the project."""
    import duckdb

    if not settings.work_db.is_file():
        return False
    try:
        with duckdb.connect(str(settings.work_db), read_only=True) as con:
            found = con.execute(
                "select made_from from raw.whole_run inner join raw.present_input using (input) "
                "where is_finished and variables = '{}'"
            ).fetchall()
    except duckdb.Error:
        # It has no such note, or somebody is writing it.
        return False
    return found == [(fingerprint(root, settings),)]
