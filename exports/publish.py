"""Upload an edition to the Hugging Face Hub, in one commit, after showing what would change.

The folder is checked against its SHA256SUMS first. What is on the Hub is known from the SHA256SUMS of the
last edition there. The token is the one that the library finds by itself (`hf auth login`, or HF_TOKEN); it is
never read, shown or stored here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError

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


def check_folder(folder: Path) -> dict[str, str]:
    """Return the checksums of an edition after comparing them with its files.

    Raises:
        ExportError: the folder is no edition, or a file is missing, changed or not listed.
    """
    from exports.manifests import sha256

    listed = folder / SUMS
    if not listed.is_file():
        raise ExportError(f"{folder} is not an edition: it has no {SUMS}; run `sphragis export`")
    sums = read_sums(listed.read_text(encoding="utf-8"))
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {SUMS}
    wrong = sorted(present ^ sums.keys()) + [
        path for path in sorted(present & sums.keys()) if sha256(folder / path) != sums[path]
    ]
    if wrong:
        raise ExportError(f"{folder} is not as it was exported: {', '.join(wrong[:5])}; run `sphragis export` again")
    return sums | {SUMS: sha256(listed)}


def warnings_of(folder: Path) -> list[str]:
    """Return what should make a person think twice before publishing."""
    report = json.loads((folder / "metadata" / "build_report.json").read_text(encoding="utf-8"))
    found = []
    if report["input"] == "sample":
        found.append("this edition was made from the bundled SAMPLE, not from the treebanks")
    if not report["machine_syntax"]["is_present"]:
        found.append("this edition has no machine layer: conllu_machine and text_distorted are empty")
    if report["files"]["absent"]:
        found.append(f"files of the pinned revisions were absent: {', '.join(report['files']['absent'])}")
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
    return True, paths, read_sums(Path(local).read_text(encoding="utf-8"))


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
        raise ExportError(f"{repository!r} is not the name of a repository: use owner/name") from error
    except _failures() as error:
        raise ExportError(f"cannot ask the Hub about {repository}: {_reason(error)}") from error
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


def _failures() -> tuple[type[Exception], ...]:
    """Return what the library raises when the Hub refuses or cannot be reached.

    Its own error for refusals derives from the error class of its HTTP client, which also covers the transport; the
    client has changed from version to version, its place above that error has not.
    """
    from huggingface_hub.errors import HfHubHTTPError

    bases = [base for base in HfHubHTTPError.__bases__ if issubclass(base, Exception)]
    return (HfHubHTTPError, OSError, *bases)


def _reason(error: Exception) -> str:
    """Return the first line of a library's message, which names address and status but no token."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


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
    from huggingface_hub.errors import LocalTokenNotFoundError

    change = plan(folder, repository, api)
    if not change.is_needed or not confirmed(change):
        return change, None
    try:
        api.whoami()
        api.create_repo(repository, repo_type="dataset", exist_ok=True)
        commit = api.upload_folder(
            folder_path=str(folder),
            repo_id=repository,
            repo_type="dataset",
            commit_message=message,
            delete_patterns=change.removed or None,
        )
    except LocalTokenNotFoundError as error:
        raise ExportError("there is no token for the Hub: run `hf auth login`, or set HF_TOKEN") from error
    except _failures() as error:
        raise ExportError(f"the Hub refused: {_reason(error)}; nothing of the edition there has changed") from error
    return change, str(commit.commit_url)


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
