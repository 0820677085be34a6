"""Where things lie: the paths of one build, from environment variables with working defaults."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """The paths of one build.

    Attributes:
        treebanks: folder that already holds the treebanks (``SPHRAGIS_TREEBANKS``), or None to fetch them.
        build: folder for everything that is made (``SPHRAGIS_BUILD``, default ``build``).
        db: the published warehouse (``SPHRAGIS_DB``, default ``<build>/sphragis.duckdb``); readers open this one.
        work_db: the warehouse under construction, ``work/<name>`` beside ``db``; ingest and dbt write this one.
        hub: the published dataset folder, ``<build>/hub``.
    """

    treebanks: Path | None
    build: Path
    db: Path
    work_db: Path
    hub: Path


def load_settings() -> Settings:
    """Return the settings of the environment; the same rule stands in ``profiles.yml`` for dbt."""
    treebanks = os.environ.get("SPHRAGIS_TREEBANKS") or None
    build = Path(os.environ.get("SPHRAGIS_BUILD") or "build")
    db = Path(os.environ.get("SPHRAGIS_DB") or build / "sphragis.duckdb")
    return Settings(
        treebanks=Path(treebanks) if treebanks else None,
        build=build,
        db=db,
        work_db=db.parent / "work" / db.name,
        hub=build / "hub",
    )
