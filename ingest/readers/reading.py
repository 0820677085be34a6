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
from dataclasses import dataclass, field, replace
from pathlib import Path

from ingest.readers.conllu_ud import read_conllu
from ingest.readers.encoding import shown
from ingest.readers.files import open_regular, place_of, read_regular
from ingest.readers.native_xml import read_native
from ingest.readers.records import DocumentFacts, Metadata, Reading, unread
from runtime.command import starting_workers
from runtime.errors import FileError, IngestError
from runtime.lean import without_pandas

# Raise it when a reader gives other rows for the same bytes: then every file is read again.
READER_VERSION = "2"
# Bytes of the files under way: what workers can go on with while the tables are written.
BYTES_UNDER_WAY = 64_000_000


@dataclass(frozen=True)
class Task:
    """One file to be read; `fault` is what was expected and found of it when it cannot be, which was seen before."""

    project: str
    format: str
    root: Path
    path: str
    revision: str | None
    metadata: Metadata = field(default_factory=Metadata)
    size: int = 0
    fault: tuple[str, str] | None = None

    @property
    def place(self) -> bytes:
        """Where the file lies."""
        return place_of(self.root, self.path)


@dataclass
class Result:
    """One file that was read; ``sha256`` is None when not even its bytes could be got."""

    path: str
    size: int | None
    sha256: str | None
    reading: Reading


def read_file(task: Task) -> Result:
    """Read one file; whatever is wrong with it, or goes wrong with it, becomes a reject, not an exception."""
    if task.fault is not None:
        return Result(task.path, None, None, unread(*task.fault))
    try:
        data = read_regular(task.place)
    except FileError as error:
        return Result(task.path, None, None, unread(error.expected, error.found))
    except Exception as error:
        return failed(task, error)
    facts = DocumentFacts(task.path, len(data), hashlib.sha256(data).hexdigest(), task.revision, task.metadata)
    read = read_native if task.format == "native_xml" else read_conllu
    try:
        with collector_off():
            reading = read(data, facts)
    except Exception as error:
        return replace(failed(task, error), size=facts.size, sha256=facts.sha256)
    return Result(task.path, facts.size, facts.sha256, reading)


def failed(task: Task, error: Exception) -> Result:
    """Return what becomes of a file at which a reader failed: a fault of the program, or of the machine."""
    reason = " ".join(str(error).split())[:200]
    found = f"{type(error).__name__}: {shown(reason)}" if reason else type(error).__name__
    return Result(task.path, None, None, unread("a file that its reader can take", found))


def has_sha256(task: Task, sha256: str | None) -> bool:
    """Whether the bytes of a file have a checksum; a file that cannot be read has none."""
    try:
        with open_regular(task.place) as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest() == sha256
    except (FileError, OSError):
        return False


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
                with starting_workers():
                    under_way.append((coming[0], pool.submit(read_file, coming[0])))
                size += coming.popleft().size
            task, future = under_way[0]
            size -= task.size
            result = result_of(task, future)
            under_way.popleft()
            yield task, result
            del future, result
    except BrokenProcessPool as error:
        some = sorted({f"{task.project}/{shown(task.path)}" for task, _ in list(under_way)[:workers]})
        raise IngestError(
            "expected every worker to live until its files are read, found one killed (for want of memory?) at one of: "
            f"{', '.join(some)}; try again with --workers 1; the last tables are unchanged"
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def result_of(task: Task, future: Future[Result]) -> Result:
    """Return what a worker gave; where it could not even hand that over, the file is rejected.

    Raises:
        BrokenProcessPool: the worker is dead.
    """
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as error:
        return failed(task, error)


def _start_worker() -> None:
    """Prepare a worker: no pandas, and no life after the parent's death."""
    without_pandas()
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
