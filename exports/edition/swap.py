"""An edition is a folder with warehouse and dataset; one rename of one symbolic link makes the next one current.

    build/editions/<fingerprint>/sphragis.duckdb    the warehouse, under the name of the published one
    build/editions/<fingerprint>/hub/               the dataset folder
    build/current  -> editions/<fingerprint>        the one link that is ever changed
    build/hub      -> current/hub                   what readers open; made once
    build/sphragis.duckdb -> current/sphragis.duckdb

Everything is written, checked and on the disk before that rename, so that warehouse and dataset agree at every
moment. Names in `editions` that begin with a dot are unfinished or on their way out: the next run removes them.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from exports.warehouse import ExportError
from runtime.files import sha256

if TYPE_CHECKING:
    from runtime.settings import Settings

AT_FDCWD = -100
RENAME_EXCHANGE = 2

NEVER = 0
"""Time stamp of an edition that has not been current yet; a link that reaches it gives it the present time."""

CANNOT_LINK = (errno.EPERM, errno.EXDEV, errno.EMLINK, errno.ENOTSUP, errno.ENOSYS, errno.EACCES)
"""Why a system refuses a hard link although the file could be copied."""


def mode(path: Path) -> int:
    """Return the mode of what bears a name, links not followed; 0 when nothing does.

    `Path.exists` would take a disk that cannot be read for an empty place.
    """
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def target_of(link: Path) -> str | None:
    """Return what a symbolic link says, None when it is none."""
    return str(link.readlink()) if stat.S_ISLNK(mode(link)) else None


def real_mode(path: Path) -> int:
    """Return the mode of what a reader of a path finds, links followed; 0 when nothing is there."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def remove(path: Path) -> None:
    """Remove a file, a link or a folder; nothing happens when there is none."""
    if stat.S_ISDIR(mode(path)):
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def aside(path: Path, state: str = "new") -> Path:
    """Return the name beside a path under which its next (`new`) or last (`old`) holder stands for a moment.

    >>> aside(Path("build/hub"))
    PosixPath('build/.hub.new')
    """
    return path.with_name(f".{path.name}.{state}")


def db_link(settings: Settings) -> str:
    """Return what the link at the place of the published warehouse says, relative to its folder."""
    target = settings.build.resolve() / settings.current.name / settings.db.name
    return os.path.relpath(target, settings.db.parent.resolve())


def links(settings: Settings) -> dict[Path, str]:
    """Return the links that readers open, with what each has to say."""
    return {
        settings.db: db_link(settings),
        settings.hub: f"{settings.current.name}/{settings.hub.name}",
    }


def new_edition(settings: Settings) -> Path:
    """Return the folder in which the next edition is written; made empty, with the folder of the dataset.

    Raises:
        ExportError: the name of the warehouse is taken, or there can be no symbolic links.
    """
    reserved = {settings.current, settings.editions, settings.hub}
    if settings.db in reserved or settings.db.name == settings.hub.name:
        raise ExportError(f"the warehouse cannot be called {settings.db.name}: give it another name in SPHRAGIS_DB")
    if stat.S_ISDIR(mode(settings.db)):
        raise ExportError(f"{settings.db} is a folder: move it away, or set SPHRAGIS_DB to another name")
    new = settings.editions / ".new"
    (new / settings.hub.name).mkdir(parents=True)
    settings.db.parent.mkdir(parents=True, exist_ok=True)
    for link in (settings.current, settings.db):
        try:
            aside(link).symlink_to("nothing")
            aside(link).unlink()
        except OSError as error:
            if error.errno not in CANNOT_LINK:
                raise
            raise ExportError(
                f"{link.parent} cannot hold a symbolic link ({error.strerror}), by which warehouse and dataset are "
                "put in place in one step: set SPHRAGIS_BUILD and SPHRAGIS_DB to another disk"
            ) from error
    return new


def recover(settings: Settings) -> None:
    """Clear what a run that was killed left, and finish what one could not finish."""
    _finish_old_layout(settings)
    now = settings.editions / str(Path(target_of(settings.current) or "").name)
    for edition in _entries(settings):
        if edition.name.startswith("."):
            remove(edition)
        elif edition.stat().st_mtime_ns == NEVER:
            if edition == now:
                os.utime(edition)
            else:
                _discard(edition)


def _entries(settings: Settings) -> list[Path]:
    """Return what lies in the folder of the editions, by name."""
    if not real_mode(settings.editions):
        return []
    return sorted(settings.editions.iterdir())


def _finish_old_layout(settings: Settings) -> None:
    """Clear the names aside; put a dataset folder back that an exchange in two renames has taken away."""
    for path in (settings.hub, settings.db, settings.current):
        old = aside(path, "old")
        if mode(old) and not mode(path):
            old.rename(path)
        for leftover in (aside(path), old):
            remove(leftover)


def _discard(edition: Path) -> None:
    """Remove an edition: its name goes first, so that no half of it can be taken for a whole one."""
    gone = edition.with_name(f".{edition.name}.old")
    edition.rename(gone)
    remove(gone)


def content_of(edition: Path) -> str:
    """Return the first 16 digits of a checksum of every file of an edition, with its path.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "file").write_text("text")
    ...     content_of(Path(folder))
    'dad5868430f0ba1f'
    """
    listed = hashlib.sha256()
    for path in sorted(edition.rglob("*")):
        if stat.S_ISREG(path.stat().st_mode):
            listed.update(f"{sha256(path)}  {path.relative_to(edition).as_posix()}\n".encode())
    return listed.hexdigest()[:16]


def _sync(path: Path) -> None:
    """Have the system write a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_all(edition: Path) -> None:
    """Have the system write an edition, and the way to it, to the disk."""
    for path in sorted(edition.rglob("*")):
        _sync(path)
    editions = edition.parent
    build = editions.parent
    for folder in (edition, editions, build):
        _sync(folder)
    with suppress(PermissionError):  # The folder of the build belongs to somebody else, perhaps.
        _sync(build.parent)


def is_whole(edition: Path) -> bool:
    """Return True when a folder has exactly the content that its name says."""
    return stat.S_ISDIR(mode(edition)) and content_of(edition) == edition.name.partition("-")[0]


def _name(new: Path) -> Path:
    """Give a folder that is complete the name of its content, and return it.

    An edition of the same content that is whole takes its place; one that was damaged since is left alone, because it
    may be the current one, and the new one gets a number.
    """
    content = content_of(new)
    number = 1
    while True:
        named = new.with_name(content if number == 1 else f"{content}-{number}")
        if not mode(named):
            os.utime(new, ns=(NEVER, NEVER))
            _sync_all(new)
            new.rename(named)
            _sync(named.parent)
            return named
        if is_whole(named):
            remove(new)
            return named
        number += 1


def _point(link: Path, target: str) -> None:
    """Make a name a symbolic link, in one step where it was a file or a link before, or nothing."""
    new = aside(link)
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    if not stat.S_ISDIR(mode(link)):
        new.replace(link)
    else:
        old = aside(link, "old")
        if exchange(new, link):
            new.rename(old)
        else:
            # For a moment nothing bears the name; a run that is killed there is put right by the next one.
            link.rename(old)
            new.rename(link)
        with suppress(OSError):
            remove(old)
    _sync(link.parent)


def exchange(left: Path, right: Path) -> bool:
    """Exchange two names in one step; False where the system or the file system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    arguments = (AT_FDCWD, os.fsencode(left), AT_FDCWD, os.fsencode(right), RENAME_EXCHANGE)
    return bool(rename(*arguments) == 0)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what a reader of a path finds, as device and number; None when nothing is there."""
    if not real_mode(path):
        return None
    found = path.stat()
    return found.st_dev, found.st_ino


def _prepare_links(settings: Settings) -> None:
    """Make the names that readers open links through `current`, without a change of what they read.

    What stands there otherwise (file and folder of an older layout, a warehouse of another build) becomes an edition
    first, by hard links where the system has them, and that edition current.
    """
    wanted = links(settings)
    is_link = target_of(settings.current) is not None
    if is_link and all(target_of(link) == to for link, to in wanted.items()):
        return
    seen = {link: found for link in wanted if (found := _identity(link))}
    if seen and not (is_link and all(_identity(settings.current / link.name) == seen[link] for link in seen)):
        adopted = settings.editions / ".adopted"
        adopted.mkdir()
        for link in seen:
            _take_over(link, adopted / link.name)
        _point(settings.current, _relative(_name(adopted)))
        _touch(settings)
    for link, to in wanted.items():
        if target_of(link) != to:
            _point(link, to)


def _take_over(source: Path, target: Path) -> None:
    """Give a file, or every file of a folder, a second name, or copy it where the system has no hard links."""
    source = source.resolve(strict=True)
    if stat.S_ISDIR(mode(source)):
        target.mkdir()
        for path in sorted(source.iterdir()):
            _take_over(path, target / path.name)
        return
    try:
        target.hardlink_to(source)
    except OSError as error:
        if error.errno not in CANNOT_LINK:
            raise
        shutil.copyfile(source, target)


def _relative(edition: Path) -> str:
    """Return what `current` says of an edition: relative, so that a build folder can be moved."""
    return f"{edition.parent.name}/{edition.name}"


def _touch(settings: Settings) -> None:
    """Note that the current edition has been current now."""
    os.utime(settings.current)


def finish(settings: Settings, new: Path) -> Path:
    """Give a complete edition its name, on the disk, and prepare the links; readers find what they found before.

    Args:
        settings: the paths of the build.
        new: the folder of `new_edition`, written and checked.

    Returns:
        Its folder, or that of an earlier edition of the same content.
    """
    edition = _name(new)
    _prepare_links(settings)
    return edition


def make_current(settings: Settings, edition: Path) -> None:
    """Put an edition in place, warehouse and dataset in one step: the rename of one link."""
    if is_current(settings, edition):
        return
    new = aside(settings.current)
    new.unlink(missing_ok=True)
    new.symlink_to(_relative(edition))
    new.replace(settings.current)


def is_current(settings: Settings, edition: Path) -> bool:
    """Return True when readers find this edition."""
    return target_of(settings.current) == _relative(edition)


def settle(settings: Settings) -> None:
    """After a swap: have the system write the link to the disk, then remove the editions that are not kept.

    Raises:
        OSError: from the system; the edition is in place all the same, and the next run goes on.
    """
    _sync(settings.build)
    _touch(settings)
    retire(settings)


def retire(settings: Settings) -> None:
    """Remove all editions but the current one and as many before it as are kept, in the order they were current."""
    now = Path(target_of(settings.current) or "").name
    earlier = [edition for edition in _entries(settings) if edition.name != now and not edition.name.startswith(".")]
    earlier.sort(key=lambda edition: (edition.stat().st_mtime_ns, edition.name), reverse=True)
    for edition in earlier[settings.keep :]:
        _discard(edition)


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
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ExportError(f"another export is writing {folder}: wait until it has finished") from error
        yield
    finally:
        with suppress(OSError):
            lock.close()
