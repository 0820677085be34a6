"""Where the treebanks come from: a folder, the pinned repositories, or the bundled sample."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from ingest.readers.encoding import shown
from ingest.readers.files import look_at, place_of, read_regular, reason_of
from ingest.readers.records import Reject, nothing_lost
from ingest.readers.shapes import Shapes, parse_json
from ingest.sources import Project, Registry
from runtime.errors import FileError, IngestError, SettingsError
from runtime.settings import Settings

GIT_BASE = "https://github.com"
MANIFEST = "MANIFEST.json"
# Seconds for the question whether a repository can be reached, and for getting one.
PROBE_TIMEOUT = 20
FETCH_TIMEOUT = 900
# How git may reach a repository: "file" is a folder of this machine. Never "ext", which runs a command.
PROTOCOLS = "https:ssh:file"
# An address with a scheme, one as ssh writes it (user@host:folder), or an absolute path.
_BASE = re.compile(r"(?:https|ssh|file)://[^-].*|[A-Za-z0-9][\w.-]*@[A-Za-z0-9][\w.-]*:[^-:].*|/.*", re.ASCII)
# The git processes that run now; they are ended when the run ends before them.
_running: set[subprocess.Popen[bytes]] = set()
_is_over = threading.Event()


class UnreachableError(Exception):
    """A repository cannot be reached: no network, no git. The bundled sample can stand in."""


@dataclass(frozen=True)
class Source:
    """Where the input of a run lies.

    Attributes:
        kind: ``folder``, ``git`` or ``sample``.
        root: folder with one folder per project inside, each laid out as its repository.
        note: one sentence for the report.
        revisions: commit by project, where it is known.
        substituted: what the folder says about files that stand for those of the pin, by project and path.
        faults: what is wrong with the folder's own description: project (empty), path and finding.
    """

    kind: str
    root: Path
    note: str
    revisions: dict[str, str] = field(default_factory=dict)
    substituted: dict[tuple[str, str], str] = field(default_factory=dict)
    faults: tuple[tuple[str, str, Reject], ...] = ()


def find_source(settings: Settings, registry: Registry, choice: str = "auto") -> Source:
    """Get the input.

    Args:
        settings: folders of the treebanks and of the build.
        registry: projects with their pins.
        choice: ``folder`` (``SPHRAGIS_TREEBANKS``), ``git`` or ``sample``; ``auto`` takes the folder when it is
            set, else the pinned repositories, else, when nothing can be reached, the bundled sample.

    Raises:
        IngestError: the folder does not exist, or a repository gave something else than the pin.
    """
    if choice == "sample":
        return sample_source(settings.build / "sample", registry, "asked for")
    if choice == "folder" or (choice == "auto" and settings.treebanks is not None):
        if settings.treebanks is None:
            raise IngestError("expected a folder of treebanks in SPHRAGIS_TREEBANKS, found it unset")
        return folder_source(settings.treebanks, registry)
    try:
        return git_source(settings.build / "treebanks", registry)
    except UnreachableError as error:
        if choice == "git":
            raise IngestError(f"expected to reach the repositories, found: {error}") from error
        print(
            "NOTE: the treebanks cannot be reached, so this build uses the bundled SAMPLE, written for this "
            f"project. Set SPHRAGIS_TREEBANKS to a folder that holds the treebanks. ({error})",
            file=sys.stderr,
        )
        return sample_source(settings.build / "sample", registry, "the treebanks cannot be reached")


def folder_source(root: Path, registry: Registry) -> Source:
    """Take a folder that already holds the treebanks.

    A ``MANIFEST.json`` in it may say which revisions it holds and which files stand for others; without one the
    pins are believed, and the checksums tell where that is wrong.
    """
    try:
        with os.scandir(root):
            pass
    except (FileNotFoundError, NotADirectoryError):
        raise IngestError(
            f"expected the treebanks in {shown(str(root))} (SPHRAGIS_TREEBANKS), found no such folder; "
            "correct the variable, or unset it to fetch the pinned revisions"
        ) from None
    except (OSError, ValueError) as error:
        raise IngestError(
            f"expected a folder that can be listed in {shown(str(root))} (SPHRAGIS_TREEBANKS), found: "
            f"{reason_of(error)}; correct its rights or the variable"
        ) from error
    shapes = Shapes()
    manifest, faults = read_manifest(root, shapes)
    revisions: dict[str, str] = {}
    substituted: dict[tuple[str, str], str] = {}
    for project in registry.projects:
        entry = shapes.mapping(manifest.get(project.name), project.name)
        revisions[project.name] = shapes.text(entry.get("revision"), "revision") or project.revision
        if revisions[project.name] != project.revision:
            print(
                f"NOTE: expected {project.name} at {project.revision}, found {shown(revisions[project.name])} "
                f"by the MANIFEST.json of the folder",
                file=sys.stderr,
            )
        for path, reason in shapes.mapping(entry.get("substituted"), "substituted").items():
            substituted[project.name, path] = shapes.text(reason, "substituted") or "no reason given"
    faults += shapes.findings()
    return Source(
        "folder",
        root,
        f"treebanks of the folder {shown(root.name)}",
        revisions,
        substituted,
        tuple(("", MANIFEST, fault) for fault in faults),
    )


def read_manifest(root: Path, shapes: Shapes) -> tuple[dict[str, object], list[Reject]]:
    """Return what a folder's ``MANIFEST.json`` says per project; nothing when there is none.

    Returns:
        The entries, and what is wrong with the file, when it says nothing because it cannot be read.
    """
    try:
        if look_at(root, MANIFEST) is None:
            return {}, []
        return shapes.mapping(parse_json(read_regular(place_of(root, MANIFEST))), "the whole file"), []
    except FileError as error:
        return {}, [nothing_lost(error.expected, error.found, error.line)]


def sample_source(folder: Path, registry: Registry, reason: str) -> Source:
    """Write the bundled sample and use it."""
    from ingest.sample.generator import write_sample

    try:
        shutil.rmtree(folder, ignore_errors=True)
        write_sample(folder)
    except OSError as error:
        raise IngestError(f"expected a place to write the sample in {folder}, found: {error.strerror}") from error
    revisions = {project.name: "sample" for project in registry.projects}
    note = f"bundled sample, written for this project; no treebank was read ({reason})"
    return Source("sample", folder, note, revisions)


def git_source(folder: Path, registry: Registry) -> Source:
    """Fetch exactly the pinned commit of every project, or use what an earlier run fetched.

    Raises:
        UnreachableError: a repository that is not there yet cannot be reached.
        IngestError: what came is not the pinned commit.
    """
    if shutil.which("git") is None:
        raise UnreachableError("git is not installed")
    missing = [project for project in registry.projects if not is_complete(folder / project.name, project)]
    if missing:
        probe(missing[0])
        with only_fetcher(folder):
            try:
                with ThreadPoolExecutor(max_workers=4) as pool:
                    try:
                        list(pool.map(lambda project: fetch_project(project, folder / project.name, registry), missing))
                    except BaseException:
                        end_running()
                        raise
            finally:
                _is_over.clear()
    revisions = {project.name: project.revision for project in registry.projects}
    return Source("git", folder, "treebanks of the pinned revisions, fetched with git", revisions)


@contextlib.contextmanager
def only_fetcher(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of checkouts, and clear what a run that was killed has begun there.

    Raises:
        IngestError: another run is fetching, or the folder cannot be written.
    """
    import fcntl

    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The folder itself is locked, so that no file is left in it.
        lock = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise IngestError(f"expected a place to write {folder}, found: {error.strerror}") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise IngestError(
                f"expected to be the only run that fetches into {folder}, found another one; wait until it has ended"
            ) from error
        for begun in folder.glob(".*.new"):
            shutil.rmtree(begun, ignore_errors=True)
        yield
    finally:
        os.close(lock)


def repository_url(project: Project) -> str:
    """Return the address of a repository; ``SPHRAGIS_GIT_BASE`` replaces the host.

    Raises:
        SettingsError: the setting is no address of git, or one that would run a command.
    """
    base = os.environ.get("SPHRAGIS_GIT_BASE") or GIT_BASE
    if not _BASE.fullmatch(base) or not base.isprintable():
        raise SettingsError(
            "SPHRAGIS_GIT_BASE: expected the beginning of an address (https://..., ssh://..., file://..., "
            f"user@host:folder) or an absolute path, found {shown(base)!r}"
        )
    return f"{base.rstrip('/')}/{project.repository}"


def probe(project: Project) -> None:
    """Ask for one branch name, to learn in seconds whether the repositories can be reached at all."""
    code, output = git(["ls-remote", "--exit-code", "--", repository_url(project), "HEAD"], timeout=PROBE_TIMEOUT)
    if code != 0:
        raise UnreachableError(f"{repository_url(project)}: {output}")


def is_complete(folder: Path, project: Project) -> bool:
    """Whether a folder holds the pinned commit, checked out without a change."""
    if not (folder / ".git").is_dir():
        return False
    code, head = git(["rev-parse", "HEAD"], folder)
    if code != 0 or head != project.revision:
        return False
    code, changes = git(["status", "--porcelain", "--untracked-files=no"], folder)
    return code == 0 and not changes


def fetch_project(project: Project, folder: Path, registry: Registry) -> None:
    """Fetch the pinned commit of one project, check it, and put it at ``folder``.

    Only that commit is asked for (depth 1), and of its files only those that are read, where the server can
    give a part; where it cannot, all files of the commit come. The work is done aside and moved into place.
    """
    # A name of its own: a git that has outlived its killed run may still write below the last one.
    aside = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.new")
    aside.mkdir(parents=True)
    try:
        url = repository_url(project)
        wanted = sorted(registry.files_of(project.name))
        if project.metadata_file:
            wanted.append(project.metadata_file)
        must(project, ["init", "--quiet"], aside)
        must(project, ["remote", "add", "--", "origin", url], aside)
        must(project, ["config", "core.autocrlf", "false"], aside)
        must(project, ["config", "transfer.fsckObjects", "false"], aside)
        if wanted:
            must(project, ["config", "core.sparseCheckout", "true"], aside)
            sparse = aside / ".git" / "info" / "sparse-checkout"
            sparse.parent.mkdir(parents=True, exist_ok=True)
            sparse.write_text("".join(f"/{escape_pattern(path)}\n" for path in wanted), encoding="utf-8")
        fetch_commit(project, aside)
        must(project, ["checkout", "--quiet", "--detach", project.revision], aside)
        code, head = git(["rev-parse", "HEAD"], aside)
        if code != 0 or head != project.revision:
            raise IngestError(f"{project.name}: expected the commit {project.revision}, found {head}")
        if not is_complete(aside, project):
            raise IngestError(f"{project.name}: expected the files of {project.revision}, found others after checkout")
        shutil.rmtree(folder, ignore_errors=True)
        aside.replace(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def fetch_commit(project: Project, folder: Path) -> None:
    """Get the pinned commit, with the least that the server can do.

    Raises:
        UnreachableError: the connection failed.
        IngestError: the repository is there and does not have the commit.
    """
    attempts: tuple[Sequence[str], ...] = (
        ("--depth=1", "--filter=blob:none", "--", "origin", project.revision),
        ("--depth=1", "--", "origin", project.revision),
        # A server that gives no commit by its id: all branches, whole.
        ("--", "origin", "+refs/heads/*:refs/remotes/origin/*"),
    )
    output = ""
    for attempt in attempts:
        code, output = git(
            ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", *attempt], folder, timeout=FETCH_TIMEOUT
        )
        if code == 0 and git(["cat-file", "-e", f"{project.revision}^{{commit}}"], folder)[0] == 0:
            return
    if git(["ls-remote", "--exit-code", "--", "origin", "HEAD"], folder, timeout=PROBE_TIMEOUT)[0] != 0:
        raise UnreachableError(f"{repository_url(project)}: {output}")
    raise IngestError(
        f"{project.name}: expected the commit {project.revision} in {repository_url(project)}, found none such; "
        f"correct the pin in seeds/catalogue/projects.csv ({output or 'the repository has no such commit'})"
    )


def escape_pattern(path: str) -> str:
    """Escape what has a meaning in a sparse-checkout pattern."""
    return "".join(f"\\{sign}" if sign in "\\*?[]!# " else sign for sign in path)


def must(project: Project, arguments: Sequence[str], folder: Path) -> None:
    """Run git and raise when it fails."""
    code, output = git(arguments, folder, timeout=FETCH_TIMEOUT)
    if code != 0:
        raise IngestError(f"{project.name}: expected git {arguments[0]} to succeed, found: {output}")


def git(arguments: Sequence[str], folder: Path | None = None, timeout: float = 120) -> tuple[int, str]:
    """Run git without ever asking a question: it has no input, no terminal and nobody to ask for a password.

    Only https, ssh and folders of this machine are reached, and no program that a repository names is run.

    Returns:
        The exit code (124 after a timeout) and the last line of what it said.

    Raises:
        UnreachableError: the run was stopped.
    """
    if _is_over.is_set():
        raise UnreachableError("the run was stopped")
    environment = {
        **os.environ,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "SSH_ASKPASS": "true",
        "SSH_ASKPASS_REQUIRE": "never",
        "GCM_INTERACTIVE": "never",
        "GIT_SSH_COMMAND": f"ssh -oBatchMode=yes -oConnectTimeout={PROBE_TIMEOUT}",
        "GIT_ALLOW_PROTOCOL": PROTOCOLS,
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_HTTP_LOW_SPEED_LIMIT": "1000",
        "GIT_HTTP_LOW_SPEED_TIME": "30",
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C",
    }
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND"):
        environment.pop(name, None)
    safe = ["-c", "protocol.ext.allow=never", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"]
    process = subprocess.Popen(
        ["git", *safe, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    _running.add(process)
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        return 124, f"no answer within {timeout:.0f} seconds"
    finally:
        end(process)
        _running.discard(process)
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return process.returncode, shown(lines[-1].strip()) if lines else ""


def end(process: subprocess.Popen[bytes]) -> None:
    """End a git process that still runs, with the helpers that it has started."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def end_running() -> None:
    """End every git process that runs, and let none begin until the threads that start them have ended."""
    _is_over.set()
    for process in list(_running):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
