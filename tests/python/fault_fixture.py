"""Faults at every file operation: run something and let its n-th operation fail, or end the process there.

What counts as an operation is not listed: every call into the modules by which Python reaches the system, and every
call of the function that exchanges two names, so that a new call is covered as soon as it is written.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from exports.edition import swap
from exports.warehouse import ExportError

MODULES = ("posix", "_io", "io", "fcntl", "_posixsubprocess")

PURE = ("fspath", "_path_splitroot", "_path_normpath", "WIFSIGNALED")
"""Functions of these modules that do not reach the system."""

FAULTS = ("io_error", "full_disk", "interrupt_before", "interrupt_after", "kill")
"""What can happen at an operation; a kill after one is a kill before the next."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Attributes:
        kind: `returned`, `refused` (with a message), `interrupted`, `killed`, or `not told` (with a traceback).
        told: notices, message or notes.
        is_reached: the run came to the operation at which it was to fail.
    """

    kind: str
    told: str = ""
    is_reached: bool = True
    where: str = field(default="", compare=False)


def _is_operation(event: str, frame: FrameType, function: Any) -> bool:
    """Return True for the begin or the end of a file operation."""
    if event in ("call", "return"):
        return frame.f_code is swap.exchange.__code__
    if frame.f_code.co_filename.startswith("<frozen importlib") or getattr(function, "__name__", "") in PURE:
        return False
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or type(owner).__module__
    return module in MODULES or (isinstance(owner, io.IOBase) and owner.fileno() > 2)


def _profile(number: int, fault: str, reached: list[str]) -> Callable[[FrameType, str, Any], None]:
    """Return a profile function that lets the operation of a number fail."""
    counts = {"begin": 0, "end": 0}

    def watch(frame: FrameType, event: str, function: Any) -> None:
        if event not in ("call", "return", "c_call", "c_return") or not _is_operation(event, frame, function):
            return
        moment = "begin" if event in ("call", "c_call") else "end"
        counts[moment] += 1
        if counts[moment] != number or moment != ("end" if fault == "interrupt_after" else "begin") or reached:
            return
        reached.append(f"{getattr(function, '__name__', 'exchange')} in {frame.f_code.co_name}:{frame.f_lineno}")
        if fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if fault.startswith("interrupt"):
            raise KeyboardInterrupt
        code = errno.EIO if fault == "io_error" else errno.ENOSPC
        raise OSError(code, os.strerror(code))

    return watch


def run_with_fault(action: Callable[[], list[str]], number: int, fault: str) -> Outcome:
    """Run an action and let its operation of a number, from 1 on, fail; a kill happens to a process of its own."""
    reached: list[str] = []
    if fault == "kill":
        return _killed(action, _profile(number, fault, reached))
    kind = "returned"
    sys.setprofile(_profile(number, fault, reached))
    try:
        told = " ".join(action())
    except ExportError as error:
        kind, told = "refused", str(error)
    except KeyboardInterrupt as error:
        kind, told = "interrupted", " ".join(getattr(error, "__notes__", []))
    except Exception:
        kind, told = "not told", traceback.format_exc()
    finally:
        sys.setprofile(None)
    return Outcome(kind, told, bool(reached), "".join(reached))


def _killed(action: Callable[[], list[str]], profile: Callable[[FrameType, str, Any], None]) -> Outcome:
    """Run an action in a process that ends itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # The child only touches files.
        child = os.fork()
    if child == 0:
        try:
            sys.setprofile(profile)
            action()
        finally:
            sys.setprofile(None)
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return Outcome("killed")
    assert status == 0
    return Outcome("returned", is_reached=False)
