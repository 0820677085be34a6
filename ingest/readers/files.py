"""Files and folders of the input, listed and opened so that no name, link, device or right can stop or hold a run.

Paths are bytes below the folder of a project, so that nothing depends on the locale. Only regular files are opened.
"""

from __future__ import annotations

import contextlib
import errno
import fnmatch
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from ingest.readers.encoding import name_of_bytes
from runtime.errors import FileError

# What a path is that is there and no regular file.
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# Nothing is there under this name.
_NOTHING = frozenset((errno.ENOENT, errno.ENOTDIR))


@dataclass(frozen=True)
class Found:
    """Something that lies where a file is looked for.

    Attributes:
        path: path below the folder of the project, with forward slashes; bytes that are not UTF-8 are escaped.
        size: bytes of the file, 0 when it cannot be read.
        fault: what was expected and what was found, None when it is a regular file with a name in UTF-8.
    """

    path: str
    size: int = 0
    fault: tuple[str, str] | None = None


def place_of(root: Path, path: str) -> bytes:
    """Return where a file lies, as bytes: the folder in the encoding of the system, the path in UTF-8."""
    return os.path.join(os.fsencode(root), path.encode("utf-8"))


@contextlib.contextmanager
def open_regular(place: bytes) -> Iterator[BufferedReader]:
    """Open a regular file for reading.

    A pipe, a socket or a device is not opened at all, and where one takes the place of a file at that moment, opening
    does not wait for its other end.

    Raises:
        FileError: it is no regular file, or cannot be read.
    """
    try:
        _require_regular(os.stat(place))
        descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise FileError("a readable file", reason_of(error)) from error
    with open(descriptor, "rb") as handle:
        _require_regular(os.fstat(descriptor))
        yield handle


def read_regular(place: bytes) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        FileError: it is no regular file, or cannot be read.
    """
    with open_regular(place) as handle:
        try:
            return handle.read()
        except OSError as error:
            raise FileError("a readable file", reason_of(error)) from error


def look_at(root: Path, path: str) -> Found | None:
    """Return what lies at one path; None when nothing does."""
    place = place_of(root, path)
    try:
        about = os.stat(place)
    except OSError as error:
        if error.errno in _NOTHING:
            return Found(path, fault=("a regular file", "a link to nothing")) if os.path.islink(place) else None
        return Found(path, fault=("a readable file", reason_of(error)))
    return _found(path, about)


def list_files(root: Path, pattern: str) -> tuple[list[Found], list[Found]]:
    """List what matches a glob pattern below a folder, in the order of the paths (by code point).

    Names that begin with a full stop are passed over. ``**`` stands for folders at any depth; links to folders are not
    followed there.

    Returns:
        What matches, and the folders that cannot be listed.
    """
    folders = [b""]
    closed: list[Found] = []
    *above, last = pattern.split("/")
    for part in above:
        if part == "**":
            folders = _all_below(root, folders, closed)
        else:
            # The folders of a layout have plain names.
            folders = [os.path.join(folder, part.encode("utf-8")) for folder in folders]
    fits = re.compile(fnmatch.translate(last)).match
    found: list[Found] = []
    for folder in folders:
        for entry in _entries(root, folder, closed):
            if fits(name_of_bytes(entry.name)[0]) and not entry.name.startswith(b"."):
                found.append(_entry_found(entry, os.path.join(folder, entry.name)))
    return _unique(found), sorted(closed, key=lambda folder: folder.path)


def reason_of(error: BaseException) -> str:
    """Say why something of the system failed, in its own words."""
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def _all_below(root: Path, folders: list[bytes], closed: list[Found]) -> list[bytes]:
    """Return these folders and all below them."""
    reached: list[bytes] = []
    coming = list(folders)
    while coming:
        folder = coming.pop()
        reached.append(folder)
        for entry in _entries(root, folder, closed):
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    coming.append(os.path.join(folder, entry.name))
    return sorted(reached)


def _entries(root: Path, folder: bytes, closed: list[Found]) -> list[os.DirEntry[bytes]]:
    """Return the entries of a folder; none where there is no folder. One that may not be listed is noted, once."""
    try:
        with os.scandir(os.path.join(os.fsencode(root), folder)) as entries:
            return list(entries)
    except OSError as error:
        if error.errno not in _NOTHING:
            path = name_of_bytes(folder)[0] or "."
            note = Found(path, fault=("a folder that can be listed", reason_of(error)))
            if note not in closed:
                closed.append(note)
        return []


def _entry_found(entry: os.DirEntry[bytes], path: bytes) -> Found:
    name, is_text = name_of_bytes(path)
    if not is_text:
        return Found(name, fault=("a file name in UTF-8", "other bytes, which stand escaped in its name here"))
    try:
        about = entry.stat()
    except OSError as error:
        nothing = error.errno in _NOTHING
        expected, found = ("a regular file", "a link to nothing") if nothing else ("a readable file", reason_of(error))
        return Found(name, fault=(expected, found))
    return _found(name, about)


def _found(path: str, about: os.stat_result) -> Found:
    try:
        _require_regular(about)
    except FileError as error:
        return Found(path, fault=(error.expected, error.found))
    return Found(path, about.st_size)


def _require_regular(about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        kind = next((kind for is_it, kind in _KINDS if is_it(about.st_mode)), "something else")
        raise FileError("a regular file", kind)


def _unique(found: list[Found]) -> list[Found]:
    """Sort by path; a name that is escaped like another file is called gets one more backslash."""
    taken: dict[str, Found] = {}
    for one in sorted(found, key=lambda one: (one.fault is not None, one.path)):
        path = one.path
        while path in taken:
            path += "\\"
        taken[path] = Found(path, one.size, one.fault)
    return [taken[path] for path in sorted(taken)]
