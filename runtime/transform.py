"""Run dbt in this process, and tell what happens while it happens.

dbt itself tells the reason of an error when everything else is done, minutes later. Here every error is printed at
once: what failed, why, what is asked of it, the first rows, and where its SQL is. On a terminal one line shows how far
the run is. What dbt would have printed is in its log.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runtime.command import draw, is_stopped, say_error, visible

if TYPE_CHECKING:
    from dbt_common.events.base_types import EventMsg

ROWS = 5
"""Rows of a failed test that are printed."""

FAILED = ("error", "fail", "runtime error", "partial success")

TOLD_HERE = (
    *("LogTestResult", "LogModelResult", "LogSeedResult", "LogNodeResult", "LogFunctionResult", "LogHookEndLine"),
    *("LogBatchResult", "LogSkipBecauseError", "LogCancelLine", "RunResultError", "RunResultErrorNoMessage"),
    *("RunResultFailure", "RunResultWarning", "RunResultWarningMessage", "SQLCompiledPath", "EndOfRunSummary"),
    *("MainStackTrace", "CatchableExceptionOnRun", "GenericExceptionOnRun", "InternalErrorOnRun"),
)
"""Events of level `error` or `warn` that repeat what the end of a node, or of the run, tells."""


class Watch:
    """What dbt has told so far.

    Attributes:
        total: nodes of the run.
        ends: how many ended in which way.
    """

    def __init__(self) -> None:
        self.begin = time.monotonic()
        self.total = 0
        self.ends: Counter[str] = Counter()
        self._running: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()
        self._nodes: dict[str, Any] | None = None
        self._drawn = 0.0
        self._warned: set[str] = set()
        self._failed: set[str] = set()

    def __call__(self, event: EventMsg) -> None:
        """Take note of one event, and print it if it is an error."""
        info: Any = event.info
        name = info.name
        if is_stopped():
            return
        with self._lock:
            if name == "LogStartLine":
                self.total = max(self.total, event.data.total)
            elif name == "NodeStart":
                node = event.data.node_info
                self._running[node.unique_id] = (node.node_name, time.monotonic())
            elif name == "NodeFinished":
                self._finished(event.data)
            elif info.level == "error" and name not in TOLD_HERE:
                say_error(dedented(info.msg))
            elif info.level == "warn" and name not in TOLD_HERE and info.msg not in self._warned:
                self._warned.add(info.msg)
                print(f"warning: {info.msg}", file=sys.stderr)
            if time.monotonic() - self._drawn > 0.1:
                self.draw()

    def _finished(self, data: Any) -> None:
        """Count one node, and tell why when it failed."""
        node, result = data.node_info, data.run_result
        self._running.pop(node.unique_id, None)
        status = str(result.status).lower()
        self.ends[status] += 1
        if status in FAILED and node.unique_id not in self._failed:
            self._failed.add(node.unique_id)
            say_error(self.reason(node.unique_id, str(result.message)))
        elif status == "warn":
            print(f"warning: {self.reason(node.unique_id, str(result.message))}", file=sys.stderr)

    def reason(self, unique_id: str, message: str) -> str:
        """Return why a node failed, as lines."""
        found = self.node(unique_id)
        kind = {"test": "test", "unit_test": "unit test"}.get(unique_id.partition(".")[0])
        where = found.get("original_file_path", "")
        if kind is None:
            return f"{unique_id.rpartition('.')[2]} ({where})\n{dedented(message)}"
        lines = [f"{kind} {found.get('name', unique_id)} ({where})"]
        compiled = self.compiled(found)
        sql = compiled.read_text(encoding="utf-8") if compiled else ""
        lines += [f"  expected: {text}" for text in [found.get("description") or first_comment(sql)] if text]
        lines += [f"  found: {dedented(message)}"]
        if kind == "test" and sql:
            lines += [f"    {row}" for row in first_rows(sql)]
        if compiled:
            lines.append(f"  SQL: {compiled}")
        return "\n".join(lines)

    def node(self, unique_id: str) -> dict[str, Any]:
        """Return what dbt knows of a node, from the file that it writes before the run begins."""
        if self._nodes is None:
            self._nodes = {}
            with contextlib.suppress(OSError, ValueError, KeyError, AttributeError):
                manifest = json.loads((target_folder() / "manifest.json").read_bytes())
                self._nodes = {**manifest["nodes"], **manifest["unit_tests"]}
        return dict(self._nodes.get(unique_id, {}))

    @staticmethod
    def compiled(node: dict[str, Any]) -> Path | None:
        """Return the file with the SQL of a test as it ran."""
        with contextlib.suppress(KeyError, AttributeError):
            folder: Path = target_folder() / "compiled" / node["package_name"] / node["original_file_path"]
            for path in (folder / node["path"], folder):
                if path.is_file():
                    return path
        return None

    def draw(self) -> None:
        """Show how far the run is and what has been at work longest."""
        self._drawn = time.monotonic()
        if self.total and self._running:
            name, since = min(self._running.values(), key=lambda item: item[1])
            bad = sum(self.ends[status] for status in FAILED)
            told = f"  {bad} failed" if bad else ""
            draw(
                f"{self.ends.total():,} of {self.total:,}{told}  {name}  {self._drawn - since:.0f} s"
                f"  (all: {self._drawn - self.begin:.0f} s)"
            )

    def tick(self, done: threading.Event) -> None:
        """Draw once a second until all is done: a model can take long and tell nothing."""
        while not done.wait(1):
            with self._lock:
                self.draw()

    def summary(self) -> str:
        """Return the end of the run in one line."""
        bad = sum(self.ends[status] for status in FAILED)
        if bad:
            return f"{self.total:,} models, seeds and tests: {bad:,} failed, {self.ends['skipped']:,} not run for that"
        return f"{self.ends.total():,} models, seeds and tests in {time.monotonic() - self.begin:.0f} s"


def target_folder() -> Path:
    """Return the folder in which dbt writes what it has compiled."""
    from dbt import flags

    known: Any = flags.get_flags()  # type: ignore[no-untyped-call]
    return Path(known.PROJECT_DIR or ".") / (getattr(known, "TARGET_PATH", None) or "target")


def dedented(message: str) -> str:
    r"""Return a message of dbt, which indents all lines but the first.

    >>> dedented("Runtime Error\n  expected this\n    found that")
    'Runtime Error\nexpected this\n  found that'
    """
    return "\n".join(line.removeprefix("  ") for line in message.strip().splitlines())


def first_comment(sql: str) -> str:
    r"""Return the first comment of a query: in this project it says what a row is.

    >>> first_comment("with a as (select 1)\n-- One row per fault.\nselect 1")
    'no row; One row per fault.'
    """
    for line in sql.splitlines():
        if line.lstrip().startswith("--"):
            return f"no row; {line.lstrip().removeprefix('--').strip()}"
    return ""


def first_rows(sql: str) -> list[str]:
    """Return the first rows of a failed test, a line each; none when they cannot be had."""
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager

    try:
        # A connection of its own to the database that dbt has open.
        environment: Any = DuckDBConnectionManager.env()
        with environment.conn.cursor() as cursor:
            cursor.execute(f"select * from (\n{sql}\n) limit {ROWS + 1}")
            names = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
    except Exception:  # whatever it is, the failure of the test is told
        return []
    shown = [
        ", ".join(f"{name} = {visible(value)[:200]}" for name, value in zip(names, row, strict=True))
        for row in rows[:ROWS]
    ]
    return [*shown, "..."] if len(rows) > ROWS else shown


def run(arguments: Sequence[str]) -> int:
    """Run dbt with these arguments and return its exit code.

    Raises:
        KeyboardInterrupt: a signal has stopped it.
    """
    from dbt.cli.main import dbtRunner

    watch, done = Watch(), threading.Event()
    ticking = threading.Thread(target=watch.tick, args=[done], daemon=True)
    ticking.start()
    try:
        # Its own lines stay in its log; those that matter are told here.
        ended = dbtRunner(callbacks=[watch]).invoke(["--log-level", "none", "--no-print", *arguments])
    finally:
        done.set()
        ticking.join()
        draw("")
    if is_stopped() or isinstance(ended.exception, KeyboardInterrupt):
        raise KeyboardInterrupt
    if ended.exception is not None and not isinstance(ended.exception, Exception):
        raise ended.exception
    if ended.success:
        if sys.stderr.isatty():
            print(watch.summary(), file=sys.stderr)
        return 0
    if watch.ends:
        say_error(f"{watch.summary()}; mend what is told above and run it again")
    elif ended.exception is not None and type(ended.exception).__name__ == "DbtUsageException":
        say_error(ended.exception)
    return 2 if ended.exception is not None else 1
