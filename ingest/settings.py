"""What one build is told by environment variables, with working defaults: where things lie, and who parses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ingest.errors import SettingsError

PROVIDERS = ("crossfit", "conllu", "stoicheia", "none")
"""Who can parse the machine layer."""


@dataclass(frozen=True)
class Settings:
    """What one build is told: its paths, its threads, the parser of the machine layer and the audits of it.

    Attributes:
        treebanks: folder that already holds the treebanks (``SPHRAGIS_TREEBANKS``), or None to fetch them.
        build: folder for everything that is made (``SPHRAGIS_BUILD``, default ``build``).
        db: the published warehouse (``SPHRAGIS_DB``, default ``<build>/sphragis.duckdb``); readers open this one.
        work_db: the warehouse under construction, ``work/<name>`` beside ``db``; ingest and dbt write this one.
        hub: the published dataset folder, ``<build>/hub``.
        threads: threads of the models, and parsers that are trained at a time (``SPHRAGIS_THREADS``, default 2).
        machine: who parses the machine layer (``SPHRAGIS_MACHINE``, default ``crossfit``), one of PROVIDERS.
        parse: CoNLL-U file or folder that the provider ``conllu`` reads (``SPHRAGIS_PARSE``).
        stoicheia: local snapshot of the model of the provider ``stoicheia`` (``SPHRAGIS_STOICHEIA``), or None for the
            cache of the Hub or the Hub itself.
        stoicheia_revision: its commit id, 40 hexadecimal digits (``SPHRAGIS_STOICHEIA_REVISION``).
        trust_remote_code: the code that comes with a model may run (``SPHRAGIS_TRUST_REMOTE_CODE=1``).
        audits: folder of manual audits that the export publishes figures of (``SPHRAGIS_AUDITS``), or None.
    """

    treebanks: Path | None
    build: Path
    db: Path
    work_db: Path
    hub: Path
    threads: int = 2
    machine: str = "crossfit"
    parse: Path | None = None
    stoicheia: Path | None = None
    stoicheia_revision: str | None = None
    trust_remote_code: bool = False
    audits: Path | None = None

    @property
    def machine_cache(self) -> Path:
        """Folder of the parses that were made, ``<build>/machine``."""
        return self.build / "machine"


def load_settings() -> Settings:
    """Return the settings of the environment; the rule for the warehouse stands in ``profiles.yml`` for dbt too.

    Raises:
        SettingsError: a number is none, or there is no such provider.
    """
    machine = os.environ.get("SPHRAGIS_MACHINE") or "crossfit"
    if machine not in PROVIDERS:
        raise SettingsError(f"SPHRAGIS_MACHINE: expected one of {', '.join(PROVIDERS)}, found {machine!r}")
    threads = os.environ.get("SPHRAGIS_THREADS") or "2"
    if not threads.isdecimal() or int(threads) < 1:
        raise SettingsError(f"SPHRAGIS_THREADS: expected a whole number from 1 on, found {threads!r}")
    build = Path(os.environ.get("SPHRAGIS_BUILD") or "build")
    db = Path(os.environ.get("SPHRAGIS_DB") or build / "sphragis.duckdb")
    return Settings(
        treebanks=_path("SPHRAGIS_TREEBANKS"),
        build=build,
        db=db,
        work_db=db.parent / "work" / db.name,
        hub=build / "hub",
        threads=int(threads),
        machine=machine,
        parse=_path("SPHRAGIS_PARSE"),
        stoicheia=_path("SPHRAGIS_STOICHEIA"),
        stoicheia_revision=os.environ.get("SPHRAGIS_STOICHEIA_REVISION") or None,
        trust_remote_code=os.environ.get("SPHRAGIS_TRUST_REMOTE_CODE") == "1",
        audits=_path("SPHRAGIS_AUDITS"),
    )


def _path(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value) if value else None
