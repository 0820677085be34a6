"""Upload an edition to the Hugging Face Hub, in one commit, after showing what would change.

The folder is checked against its SHA256SUMS first. What is on the Hub is known from the SHA256SUMS of the
last edition there. The token is the one that the library finds by itself (`hf auth login`, or HF_TOKEN); it is
never read, shown or stored here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError
from runtime.command import short
from score.core.edition import BASELINES

if TYPE_CHECKING:
    from huggingface_hub import HfApi

SUMS = "SHA256SUMS"


@dataclass(frozen=True)
class Change:
    """What an upload would do: paths by kind, and the bytes that would travel at most."""

    repository: str
    is_new: bool
    added: list[str]
    changed: list[str]
    removed: list[str]
    unchanged: list[str]
    bytes: int
    warnings: list[str]

    @property
    def is_needed(self) -> bool:
        """Return True when the Hub does not have this edition yet."""
        return bool(self.added or self.changed or self.removed)


def read_sums(text: str) -> dict[str, str]:
    """Return checksum by path from the text of a SHA256SUMS file.

    >>> read_sums("ab12  data/x.parquet")
    {'data/x.parquet': 'ab12'}
    """
    sums = {}
    for line in text.splitlines():
        checksum, _, path = line.partition("  ")
        sums[path] = checksum
    return sums


def is_sums(text: str) -> bool:
    """Return True when a text has the form of a SHA256SUMS file, a line per file.

    >>> is_sums("0" * 64 + "  data/x.parquet"), is_sums("<html>")
    (True, False)
    """
    return all(re.fullmatch(r"[0-9a-f]{64}  \S.*", line) for line in text.splitlines())


def check_folder(folder: Path) -> dict[str, str]:
    """Return the checksums of an edition after comparing them with its files.

    Raises:
        ExportError: the folder is no edition, or a file is missing, changed or not listed.
    """
    from runtime.files import sha256

    listed = folder / SUMS
    if not listed.is_file():
        raise ExportError(f"{folder} is not an edition: it has no {SUMS}; run `sphragis export`")
    text = listed.read_text(encoding="utf-8", errors="replace")
    if not text or not is_sums(text):
        raise ExportError(
            f"{listed} is damaged: expected a checksum and a path on each line; run `sphragis export` again"
        )
    sums = read_sums(text)
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {SUMS}
    wrong = sorted(present ^ sums.keys()) + [
        path for path in sorted(present & sums.keys()) if sha256(folder / path) != sums[path]
    ]
    if wrong:
        named = ", ".join(map(short, wrong[:5])) + (f" and {len(wrong) - 5:,} more" if len(wrong) > 5 else "")
        raise ExportError(f"{folder} is not as it was exported: {named}; run `sphragis export` again")
    return sums | {SUMS: sha256(listed)}


def warnings_of(folder: Path) -> list[str]:
    """Return what should make a person think twice before publishing."""
    path = folder / "metadata" / "build_report.json"
    try:
        report = json.loads(path.read_bytes())
        known = report["input"], report["machine_syntax"]["is_present"], report["files"]["absent"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExportError(f"{path} cannot be read ({type(error).__name__}); run `sphragis export` again") from error
    kind, has_machine, absent = known
    found = []
    if kind == "sample":
        found.append("this edition was made from the bundled SAMPLE, not from the treebanks")
    if not has_machine:
        found.append("this edition has no machine layer: conllu_machine and text_distorted are empty")
    if not (folder / BASELINES).is_dir():
        found.append("this edition stores no baselines: run `sphragis baseline --all`, then export again")
    if absent:
        found.append(f"files of the pinned revisions were absent: {', '.join(absent)}")
    return found


def _last_edition(api: HfApi, repository: str) -> tuple[bool, set[str], dict[str, str]]:
    """Return whether the repository exists, its paths, and the checksums of the edition it holds."""
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        paths = set(api.list_repo_files(repository, repo_type="dataset"))
    except RepositoryNotFoundError:
        return False, set(), {}
    if SUMS not in paths:
        return True, paths, {}
    # Not from the cache of this machine: what counts is what the Hub has now.
    local = api.hf_hub_download(repository, SUMS, repo_type="dataset", force_download=True)
    text = Path(local).read_text(encoding="utf-8", errors="replace")
    # What is no list of checksums says nothing: every file counts as changed, and the commit puts it right.
    return True, paths, read_sums(text) if is_sums(text) else {}


def plan(folder: Path, repository: str, api: HfApi) -> Change:
    """Compare an edition with what the Hub has.

    Raises:
        ExportError: the folder is not a whole edition, or the Hub cannot be reached.
    """
    from huggingface_hub.errors import HFValidationError

    sums = check_folder(folder)
    try:
        exists, paths, last = _last_edition(api, repository)
    except HFValidationError as error:
        raise ExportError(f"'{short(repository)}' is not the name of a repository: use owner/name") from error
    except Exception as error:
        raise ExportError(f"cannot ask the Hub about {short(repository)}: {reason(error)}") from error
    keep = {".gitattributes"}
    added = sorted(sums.keys() - paths)
    changed = sorted(path for path in sums.keys() & paths if path == SUMS or last.get(path) != sums[path])
    if not added and changed == [SUMS] and last == {path: sums[path] for path in sums if path != SUMS}:
        changed = []
    removed = sorted(paths - sums.keys() - keep)
    return Change(
        repository,
        not exists,
        added,
        changed,
        removed,
        sorted(sums.keys() - set(added) - set(changed)),
        sum((folder / path).stat().st_size for path in [*added, *changed]),
        warnings_of(folder),
    )


ADVICE = {
    400: "the Hub does not take the request; update huggingface_hub, or try again later",
    401: "the token is missing or not valid: run `hf auth login`, or set HF_TOKEN",
    403: "the token may not do this: it needs the right to write, for this owner",
    404: "there is no such repository, or the token may not see it",
    409: "somebody else is changing the repository: wait and run the command again",
    412: "the repository has changed since it was looked at: run the command again",
    413: "a file, or all of them, is more than the Hub takes",
    429: "too many requests: wait some minutes and run the command again",
}
"""What to do about an answer of the Hub, by its status."""


def reason(error: BaseException) -> str:
    """Return in one line what the Hub, or the way to it, has answered, and what to do about it.

    The library raises its own errors, those of its HTTP client, and whatever an answer of another shape gives in its
    own code: each is a bad answer of the Hub, none a reason for a traceback.
    """
    from huggingface_hub.errors import LocalTokenNotFoundError, OfflineModeIsEnabled

    text = str(error).strip()
    line = short(text.splitlines()[0]) if text else ""
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(error, LocalTokenNotFoundError):
        return ADVICE[401]
    if isinstance(error, OfflineModeIsEnabled):
        return "the library may not use the network: unset HF_HUB_OFFLINE"
    if isinstance(status, int):
        advice = ADVICE.get(status) or "the Hub has a fault of its own: try again later"
        return f"it answered {status}{f' ({line})' if line else ''}; {advice}"
    if isinstance(error, OSError) and isinstance(error.filename, str):
        return f"cannot use {short(error.filename)}: {error.strerror}"
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & {"OSError", "TransportError", "RequestError", "TimeoutException"}:
        return f"{line or type(error).__name__}; is the network there, and HF_ENDPOINT right? Try again later"
    return (
        f"its answer is not what the library expects ({type(error).__name__}{f': {line}' if line else ''}); "
        "is HF_ENDPOINT right? Try again later, or update huggingface_hub"
    )


def as_text(change: Change) -> str:
    """Return a plan as text."""
    lines = [f"dataset {change.repository} ({'would be created' if change.is_new else 'exists'})"]
    for name, paths in (("new", change.added), ("changed", change.changed), ("removed", change.removed)):
        lines.append(f"{name}: {len(paths)} files")
        lines += [f"  {path}" for path in paths]
    lines.append(f"unchanged: {len(change.unchanged)} files")
    lines.append(f"to upload: {change.bytes / 1e6:,.1f} MB at most")
    lines += [f"WARNING: {warning}" for warning in change.warnings]
    return "\n".join(lines)


def publish(
    folder: Path,
    repository: str,
    api: HfApi,
    confirmed: Callable[[Change], bool],
    message: str = "New edition",
) -> tuple[Change, str | None]:
    """Upload an edition in one commit when it differs and is confirmed.

    Args:
        folder: the dataset folder.
        repository: owner and name on the Hub.
        api: client of the Hub.
        confirmed: asked with the plan; nothing is sent unless it answers True.
        message: title of the commit.

    Returns:
        The plan, and the address of the commit, or None when nothing was sent.

    Raises:
        ExportError: there is no token, or the Hub refuses.
    """
    change = plan(folder, repository, api)
    if not change.is_needed or not confirmed(change):
        return change, None
    step = "asking who we are"
    try:
        api.whoami()
        if change.is_new:
            step = "making the repository"
            api.create_repo(repository, repo_type="dataset", exist_ok=True)
        step = "sending the commit"
        commit = api.upload_folder(
            folder_path=str(folder),
            repo_id=repository,
            repo_type="dataset",
            commit_message=message,
            delete_patterns=change.removed or None,
        )
        address = str(commit.commit_url)
    except KeyboardInterrupt as stop:
        stop.add_note(after(step, repository))
        raise
    except Exception as error:
        raise ExportError(f"{step} failed: {reason(error)}. {after(step, repository)}") from error
    return change, address


def after(step: str, repository: str) -> str:
    """Return what is true of the repository when a step has failed."""
    if step != "sending the commit":
        return "Nothing was sent"
    return (
        f"The files go in one commit: {repository} has the whole new edition, where only the last answer was lost, or "
        "nothing of it. `sphragis publish --dry-run` tells which, and the same command again completes it"
    )


def confirm_by_name(answer: str | None, repository: str) -> bool:
    """Return True when the answer is the name of the repository, typed in full."""
    return answer is not None and answer.strip() == repository


def summary(change: Change) -> Mapping[str, Any]:
    """Return a plan for JSON."""
    return {
        "repository": change.repository,
        "is_new": change.is_new,
        "added": change.added,
        "changed": change.changed,
        "removed": change.removed,
        "bytes": change.bytes,
        "warnings": change.warnings,
    }
