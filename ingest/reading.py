"""Read many files on many cores: what a worker does with one file, and the pool around it."""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ingest.conllu_ud import read_conllu
from ingest.errors import IngestError
from ingest.lean import without_pandas
from ingest.native_xml import read_native
from ingest.records import DocumentFacts, Metadata, Reading, unread

# Raise it when a reader gives other rows for the same bytes: then every file is read again.
READER_VERSION = "1"
# Bytes of the files under way: what workers can go on with while the tables are written.
BYTES_UNDER_WAY = 64_000_000


@dataclass(frozen=True)
class Task:
    """One file to be read."""

    project: str
    format: str
    root: Path
    path: str
    revision: str | None
    metadata: Metadata = field(default_factory=Metadata)
    size: int = 0


@dataclass
class Result:
    """One file that was read; ``sha256`` is None when not even its bytes could be got."""

    path: str
    size: int | None
    sha256: str | None
    reading: Reading


def read_file(task: Task) -> Result:
    """Read one file; whatever is wrong with it becomes a reject, not an exception."""
    try:
        data = (task.root / task.path).read_bytes()
    except OSError as error:
        return Result(task.path, None, None, unread("a readable file", error.strerror or type(error).__name__))
    facts = DocumentFacts(task.path, len(data), hashlib.sha256(data).hexdigest(), task.revision, task.metadata)
    read = read_native if task.format == "native_xml" else read_conllu
    with collector_off():
        return Result(task.path, facts.size, facts.sha256, read(data, facts))


@contextmanager
def collector_off() -> Iterator[None]:
    """Keep the garbage collector from walking the rows again and again while they grow; they form no rings."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def read_files(tasks: Sequence[Task], workers: int) -> Iterator[tuple[Task, Result]]:
    """Read files on ``workers`` processes and yield them in the order given.

    A worker hands a file over as columns. Only so many files are under way at a time that memory does not grow
    with the input. One worker, or one file, is read in this process.

    Raises:
        IngestError: a worker was killed (for want of memory, mostly).
    """
    if workers <= 1 or len(tasks) <= 1:
        yield from ((task, read_file(task)) for task in tasks)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(tasks)), mp_context=context, initializer=_start_worker)
    try:
        under_way: deque[tuple[Task, Future[Result]]] = deque()
        size = 0
        coming = deque(tasks)
        while coming or under_way:
            while coming and (size < BYTES_UNDER_WAY or len(under_way) < workers):
                under_way.append((coming[0], pool.submit(read_file, coming[0])))
                size += coming.popleft().size
            task, future = under_way.popleft()
            size -= task.size
            yield task, future.result()
            del future
    except BrokenProcessPool as error:
        raise IngestError(
            "expected every worker to live until its files are read, found one killed (for want of memory?); "
            "try again with --workers 1; the last tables are unchanged"
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start_worker() -> None:
    """Prepare a worker: no pandas, and no life after the parent's death."""
    without_pandas()
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
