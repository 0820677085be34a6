"""What one build is told by environment variables, with working defaults: where things lie, and who parses."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from runtime.command import visible
from runtime.errors import SettingsError

PROVIDERS = ("crossfit", "conllu", "stoicheia", "none")
"""Who can parse the machine layer."""

MOST_MEMORY = 3_000 * 10**6
"""Bytes that DuckDB takes by itself: more makes a build large, and hardly faster (decision 131)."""

CONTAINER_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where a container is told how much of the machine's memory it has."""

REFUSED = (
    ("a path of UTF-8", re.compile(r"[\ud800-\udfff]")),
    ("a path without control signs", re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")),
    ("a path without ?, # and \\, which the engine and dbt read as parts of an address", re.compile(r"[?#\\]")),
    ("a path on this machine", re.compile(r"^(\w[\w+.-]*:|//)")),
    ("a path in which the shell has replaced ~", re.compile(r"^~")),
)
"""What a path of what is made may not have: what is expected instead, and how it is known."""
LONGEST_PATH = 3500
"""Bytes of a path of what is made: what is below it has to fit into the 4,096 of the system."""


@dataclass(frozen=True)
class Settings:
    """What one build is told: its paths, its threads, the parser of the machine layer and the audits of it.

    Attributes:
        treebanks: folder that already holds the treebanks (``SPHRAGIS_TREEBANKS``), or None to fetch them.
        build: folder for everything that is made (``SPHRAGIS_BUILD``, default ``build``).
        db: the published warehouse (``SPHRAGIS_DB``, default ``<build>/sphragis.duckdb``); readers open this one. It is
            a link to the warehouse of the current edition.
        work_db: the warehouse under construction, ``work/<name>`` beside ``db``; ingest and dbt write this one.
        hub: the published dataset folder, ``<build>/hub``; a link to the dataset of the current edition.
        threads: threads of the models, and parsers that are trained at a time (``SPHRAGIS_THREADS``, default 2).
        machine: who parses the machine layer (``SPHRAGIS_MACHINE``, default ``crossfit``), one of PROVIDERS.
        parse: CoNLL-U file or folder that the provider ``conllu`` reads (``SPHRAGIS_PARSE``).
        stoicheia: local snapshot of the model of the provider ``stoicheia`` (``SPHRAGIS_STOICHEIA``), or None for the
            cache of the Hub or the Hub itself.
        stoicheia_revision: its commit id, 40 hexadecimal digits (``SPHRAGIS_STOICHEIA_REVISION``).
        trust_remote_code: the code that comes with a model may run (``SPHRAGIS_TRUST_REMOTE_CODE=1``).
        audits: folder of manual audits that the export publishes figures of (``SPHRAGIS_AUDITS``), or None.
        url: where the edition is published, which its description names (``SPHRAGIS_URL``), or None where nobody has
            said: only who publishes it knows.
        keep: earlier editions that stay on the disk beside the current one (``SPHRAGIS_KEEP``, default 1).
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
    url: str | None = None
    keep: int = 1

    @property
    def editions(self) -> Path:
        """Folder of the editions, ``<build>/editions``, each under the fingerprint of its content."""
        return self.build / "editions"

    @property
    def current(self) -> Path:
        """The link to the current edition, ``<build>/current``."""
        return self.build / "current"

    @property
    def machine_cache(self) -> Path:
        """Folder of the parses that were made, ``<build>/machine``."""
        return self.build / "machine"

    @property
    def leakage_cache(self) -> Path:
        """Folder of the fits of the leakage audit that were made, ``<build>/leakage``."""
        return self.build / "leakage"


def load_settings() -> Settings:
    """Return the settings of the environment; the rule for the warehouse stands in ``profiles.yml`` for dbt too.

    Raises:
        SettingsError: a number is none, a path cannot be used by all parts, or there is no such provider.
    """
    machine = os.environ.get("SPHRAGIS_MACHINE") or "crossfit"
    if machine not in PROVIDERS:
        raise SettingsError(f"SPHRAGIS_MACHINE: expected one of {', '.join(PROVIDERS)}, found {machine!r}")
    threads = os.environ.get("SPHRAGIS_THREADS") or "2"
    if not re.fullmatch("[0-9]{1,4}", threads) or int(threads) < 1:
        raise SettingsError(f"SPHRAGIS_THREADS: expected a whole number from 1 on, found {threads!r}")
    keep = os.environ.get("SPHRAGIS_KEEP") or "1"
    if not re.fullmatch("[0-9]{1,4}", keep):
        raise SettingsError(f"SPHRAGIS_KEEP: expected a whole number from 0 on, found {keep!r}")
    build = _made("SPHRAGIS_BUILD") or Path("build")
    db = _made("SPHRAGIS_DB") or build / "sphragis.duckdb"
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
        url=_url("SPHRAGIS_URL"),
        keep=int(keep),
    )


def memory_limit() -> str:
    """Return what DuckDB may hold in memory (``SPHRAGIS_MEMORY``); by default half of the machine's, at most 3 GB.

    What does not fit is written to the disk, into the folder `spill` beside the working database.

    Raises:
        SettingsError: the setting is no size.
    """
    given = os.environ.get("SPHRAGIS_MEMORY")
    if given:
        if not re.fullmatch(r"[1-9]\d*(\.\d+)?\s*[KMGT]i?B", given, re.IGNORECASE):
            raise SettingsError(f"SPHRAGIS_MEMORY: expected a size such as 4GB, found {given!r}")
        return given
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in CONTAINER_LIMITS:
        with contextlib.suppress(OSError, ValueError):
            found.append(int(path.read_text(encoding="ascii")))
    return f"{min(min(found) // 2, MOST_MEMORY) // 10**6}MB"


def _made(name: str) -> Path | None:
    """Return a path of what is made, or None where the environment has none.

    Ingest, dbt, the engine and the export all take the same text as a path, and not all of them take every text.

    Raises:
        SettingsError: one of them would take it for something else.
    """
    value = os.environ.get(name)
    if not value:
        return None
    for expected, sign in REFUSED:
        if sign.search(value):
            raise SettingsError(f"{name}: expected {expected}, found '{visible(value)}'; choose another")
    if len(os.fsencode(value)) > LONGEST_PATH or any(len(os.fsencode(part)) > 240 for part in value.split("/")):
        raise SettingsError(
            f"{name}: expected a path of at most {LONGEST_PATH:,} bytes and 240 in each name, found one of "
            f"{len(os.fsencode(value)):,}; choose another"
        )
    if name == "SPHRAGIS_DB" and value.endswith("/"):
        raise SettingsError(f"{name}: expected the path of a file, found the folder '{visible(value)}'")
    return Path(value)


def _url(name: str) -> str | None:
    """Return an address of the web, or None where the environment has none.

    Raises:
        SettingsError: it is none.
    """
    value = os.environ.get(name) or None
    if value is not None and not re.fullmatch(r"https?://[!-~]+", value):
        raise SettingsError(f"{name}: expected an address that begins with https://, found '{visible(value)}'")
    return value


def _path(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value) if value else None
