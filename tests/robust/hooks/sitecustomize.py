"""Loaded by every Python that has this folder on its path: ends or fails the process at a chosen touch of the disk.

The setting ``ROBUST_FAULT`` is JSON: ``under`` (the folder whose files count), ``at`` (the touch, 1 for the first; 0:
none), ``act`` (``kill``, ``vanish``: the folder goes, or the name of an error such as ``ENOSPC``), ``touches``
(``read``, ``write`` or ``all``), ``log`` (a file to which the touches are written). Only the first process is meant,
not those that it starts. Writes of libraries in C are not seen here; they are met by kills at any time, by small disks
and by limits of file size.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from typing import Any

CHANGES = frozenset(
    ("os.rename", "os.remove", "os.link", "os.symlink", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.fsync")
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _place(value: object, folder: str) -> str:
    """Return the whole path of an argument of an event; the empty text when it is none."""
    if isinstance(value, int):
        with contextlib.suppress(OSError):
            return os.readlink(f"/proc/self/fd/{value}")
        return ""
    if not isinstance(value, (str, bytes, os.PathLike)):
        return ""
    path = os.fsdecode(value)
    if not path or os.path.isabs(path):
        return path
    return os.path.join(folder or os.getcwd(), path)


def _touch(event: str, arguments: Sequence[Any]) -> tuple[str, list[str]]:
    """Return the kind of a touch and the paths that it is about; no kind when it is none."""
    if event == "open":
        path, mode, flags = arguments
        writes = any(sign in mode for sign in "wax+") if isinstance(mode, str) else bool((flags or 0) & WRITING)
        return ("write" if writes else "read"), [_place(path, "")]
    if event in ("os.listdir", "os.scandir"):
        return "read", [_place(arguments[0], "")]
    if event not in CHANGES:
        return "", []
    # Names may be relative to an open folder, whose number is the last argument.
    last = arguments[-1]
    folder = _place(last, "") if event != "os.fsync" and isinstance(last, int) and last >= 0 else ""
    return "write", [
        _place(value, folder) for value in arguments[:2] if event == "os.fsync" or not isinstance(value, int)
    ]


def _arm(fault: dict[str, Any]) -> None:
    under, at, act, wanted = (fault[name] for name in ("under", "at", "act", "touches"))
    log = os.open(fault["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644) if fault.get("log") else None
    state = {"count": 0, "busy": False}

    def hook(event: str, arguments: Sequence[Any]) -> None:
        if state["busy"] or not event.startswith(("open", "os.")):
            return
        state["busy"] = True
        try:
            kind, paths = _touch(event, arguments)
            if not kind or wanted not in ("all", kind):
                return
            met = [path for path in paths if path == under or path.startswith(under + os.sep)]
            if not met:
                return
            state["count"] += 1
            if log is not None:
                os.write(log, f"{state['count']} {event} {met[0]!r}\n".encode())
            if state["count"] != at:
                return
            if act == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if act == "vanish":
                shutil.rmtree(under, ignore_errors=True)
                return
            raise OSError(getattr(errno, act), os.strerror(getattr(errno, act)), met[0])
        finally:
            state["busy"] = False

    fsync = os.fsync

    def fsync_told(descriptor: Any) -> None:
        sys.audit("os.fsync", descriptor if isinstance(descriptor, int) else descriptor.fileno())
        fsync(descriptor)

    os.fsync = fsync_told  # type: ignore[assignment]
    sys.addaudithook(hook)


if os.environ.get("ROBUST_HIDDEN"):
    # Libraries that are not wanted for the time that they take to load.
    for _name in os.environ["ROBUST_HIDDEN"].split(","):
        sys.modules[_name] = None  # type: ignore[assignment]
if os.environ.get("ROBUST_FAULT"):
    _arm(json.loads(os.environ.pop("ROBUST_FAULT")))
