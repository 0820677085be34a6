"""Running the commands of a build so that they can be killed and starved, and telling what they have left behind."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psutil

from robust.sources import ROOT

HOOKS = Path(__file__).parent / "hooks"
# Nothing here takes longer than a whole run of dbt on a small corpus; what does hangs, on the busiest machine too.
GUARD = 3600
INGEST = (sys.executable, "-m", "ingest")
EXPORT = (sys.executable, "-m", "exports")


NO_UNIT_TESTS = ("--exclude-resource-type", "unit_test")
"""What the SQL does with rows of its own is no matter of the input."""


def dbt(*arguments: str) -> tuple[str, ...]:
    """Return a command of dbt, which takes over what an earlier run of the suite has parsed (``TESTS_PARSED``)."""
    return (sys.executable, str(ROOT / "tests" / "python" / "dbt_parsed_once.py"), *arguments)


def environment(build: Path, treebanks: Path | None = None, **more: str) -> dict[str, str]:
    """Return the environment of the commands of one build, apart from any other of this machine."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SPHRAGIS_", "DBT_", "ROBUST_"))}
    kept |= {
        "SPHRAGIS_BUILD": str(build),
        "SPHRAGIS_MACHINE": "none",
        "SPHRAGIS_THREADS": "2",
        "DBT_TARGET_PATH": str(build / "target"),
        "DBT_LOG_PATH": str(build / "logs"),
        "DBT_PROFILES_DIR": str(ROOT),
        "DBT_PROJECT_DIR": str(ROOT),
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(HOOKS),
        "HF_HUB_OFFLINE": "1",
        # It takes seconds to load, and checks a file that other tests are about.
        "ROBUST_HIDDEN": "mlcroissant",
    }
    if treebanks is not None:
        kept["SPHRAGIS_TREEBANKS"] = str(treebanks)
    return kept | more


def fault(under: Path, at: int, act: str, touches: str = "all", log: Path | None = None) -> dict[str, str]:
    """Return the setting that ends or fails a command at a touch of a folder, see ``hooks/sitecustomize.py``."""
    told = {"under": str(under), "at": at, "act": act, "touches": touches, "log": str(log) if log else None}
    return {"ROBUST_FAULT": json.dumps(told)}


@dataclass(frozen=True)
class Ended:
    """A command that has ended.

    Attributes:
        code: its exit code; minus the signal that ended it.
        output: what it printed on both streams.
        left: processes of its group that were still alive minutes later, and were ended then.
        seconds: time that it took.
        peak: bytes of memory that its processes held together at most, looked at every half second; 0 when not asked.
    """

    code: int
    output: str
    left: int
    seconds: float = 0.0
    peak: int = 0

    @property
    def is_told(self) -> bool:
        """Whether it failed with one message and no traceback."""
        return self.code == 1 and "Traceback" not in self.output and "rror" in self.output


def run(
    command: tuple[str, ...],
    surroundings: dict[str, str],
    kill_after: float | None = None,
    whole_group: bool = True,
    before: Callable[[], None] | None = None,
    meanwhile: Callable[[], None] | None = None,
    is_measured: bool = False,
) -> Ended:
    """Run a command to its end, or kill it after some seconds.

    Args:
        command: the command and its arguments; it is run from the top of the checkout.
        surroundings: its whole environment.
        kill_after: seconds until SIGKILL, if it is still running then.
        whole_group: kill its children with it, as a power failure does; else they have to end by themselves.
        before: called in the new process before the command, for limits.
        meanwhile: called when the command has been started.
        is_measured: look at its memory.
    """
    begin = time.monotonic()
    peaks = [0]
    with subprocess.Popen(
        command, cwd=ROOT, env=surroundings, text=True, errors="backslashreplace", start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=before,
    ) as process:  # fmt: skip
        if meanwhile is not None:
            meanwhile()
        if is_measured:
            threading.Thread(target=_measure, args=(process, peaks), daemon=True).start()
        try:
            output, _ = process.communicate(timeout=GUARD if kill_after is None else kill_after)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                if whole_group or kill_after is None:
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            output, _ = process.communicate(timeout=GUARD)
            if kill_after is None:
                output += f"\nnot finished after {GUARD} s"
        left = _end_group(process.pid)
    return Ended(process.returncode, output, left, time.monotonic() - begin, max(peaks))


def _measure(process: subprocess.Popen[str], peaks: list[int]) -> None:
    """Note the memory of a process and its children until it has ended."""
    while process.returncode is None:
        held = 0
        for one in _members(process.pid):
            with contextlib.suppress(psutil.Error):
                held += one.memory_info().rss
        peaks.append(held)
        time.sleep(0.5)


def _members(group: int) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError, psutil.Error):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def _end_group(group: int) -> int:
    """Wait until nothing of a process group is left; end what is there after five minutes and return how many."""
    for _ in range(3000):
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return 0
        if not _members(group):
            return 0
        time.sleep(0.1)
    left = len(_members(group))
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    return left


def file_size_limit(size: int) -> Callable[[], None]:
    """Return what lets no file of a command grow beyond some bytes, as on a full disk."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def digest(path: Path) -> str:
    """Return the checksum of a file, or of a folder with all its names; ``none`` when there is nothing."""
    if path.is_dir():
        names = sorted(file for file in path.rglob("*") if file.is_file())
        text = "".join(f"{file.relative_to(path)} {digest(file)}\n" for file in names)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
    if not path.exists():
        return "none"
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()[:16]


def edition(build: Path) -> tuple[str, str]:
    """Return checksums of the published warehouse and of the published folder."""
    return digest(build / "sphragis.duckdb"), digest(build / "hub")


def listing(build: Path) -> list[str]:
    """Return the names of everything in a build folder, but for the logs and the compiled models of dbt."""
    return sorted(
        path.relative_to(build).as_posix()
        for path in build.rglob("*")
        if path.relative_to(build).parts[0] not in ("target", "logs")
    )


@contextlib.contextmanager
def opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a warehouse read-only."""
    connection = duckdb.connect(str(path), read_only=True)
    try:
        yield connection
    finally:
        connection.close()


def content(path: Path, schema: str = "raw") -> dict[str, tuple[Any, ...]]:
    """Return the number of rows and a checksum of every table of a schema; nothing when there is no warehouse.

    Both follow from the rows whatever their order; a log of changes that a killed run has left is counted in.
    """
    if not path.is_file():
        return {}
    with opened(path) as connection:
        tables = connection.execute(
            "select table_name from duckdb_tables() where schema_name = ? order by table_name", [schema]
        ).fetchall()
        return {
            name: connection.execute(
                f"select count(*), sum(hash(t)::hugeint)::varchar from {schema}.{name} as t"
            ).fetchone()
            or ()
            for (name,) in tables
        }
