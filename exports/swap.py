"""Putting a finished folder or file in the place of the last one, so that no reader sees half of it.

A new edition is written beside the published one (`.hub.new`). When it is complete the two change places:
in one step where the system can exchange two names, otherwise by two renames (the old one aside as
`.hub.old`, the new one in). A run that is killed leaves at most these two siblings; the next run puts
the last good folder back where it is missing and clears the rest.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from exports.warehouse import ExportError

AT_FDCWD = -100
RENAME_EXCHANGE = 2


def new_name(target: Path) -> Path:
    """Where the next edition of `target` is written.

    >>> new_name(Path("build/hub"))
    PosixPath('build/.hub.new')
    """
    return target.with_name(f".{target.name}.new")


def old_name(target: Path) -> Path:
    """Where the last edition of `target` stands for the moment of the change."""
    return target.with_name(f".{target.name}.old")


def remove(path: Path) -> None:
    """Remove a file or a folder; nothing happens when there is none."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def recover(target: Path) -> None:
    """Clear what a killed run left, and put the last good folder back when it was on its way."""
    if not target.exists() and old_name(target).exists():
        old_name(target).rename(target)
    for leftover in (new_name(target), old_name(target)):
        remove(leftover)


def _exchange(left: Path, right: Path) -> bool:
    """Exchange two names in one step; False where the system or the file system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    arguments = (AT_FDCWD, os.fsencode(left), AT_FDCWD, os.fsencode(right), RENAME_EXCHANGE)
    return bool(rename(*arguments) == 0)


def _sync(path: Path) -> None:
    """Have the system write a file or a folder to the disk before its name changes."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def swap_folder(target: Path) -> None:
    """Put the folder `new_name(target)` in the place of `target` and remove the last one."""
    new, old = new_name(target), old_name(target)
    for path in sorted(new.rglob("*")):
        _sync(path)
    if target.exists():
        if _exchange(new, target):
            new.rename(old)
        else:
            target.rename(old)
            new.rename(target)
    else:
        new.rename(target)
    _sync(target.parent)
    remove(old)


def swap_file(target: Path) -> None:
    """Put the file `new_name(target)` in the place of `target`, in one step."""
    _sync(new_name(target))
    new_name(target).replace(target)
    _sync(target.parent)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the lock of a build folder, so that two exports do not write the same one.

    Raises:
        ExportError: another export is running, or the folder cannot be written.
    """
    import fcntl

    path = folder / ".export.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = path.open("w")
    except OSError as error:
        raise ExportError(
            f"cannot write to {folder}: {error.strerror}; set SPHRAGIS_BUILD to another folder"
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ExportError(f"another export is writing {folder}: wait until it has finished") from error
        yield
