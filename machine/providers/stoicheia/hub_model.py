"""Loading a model of the Hugging Face Hub that brings its own code: pinned, and only when that is asked for.

The libraries (``pip install 'sphragis[stoicheia]'``) are imported when a model is loaded and never before. The
snapshot of the pinned revision is found first (a local folder, the cache of the Hub, the Hub itself;
``HF_HUB_OFFLINE=1`` keeps to the cache), and model, processor and code are all taken from that one folder.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, NamedTuple

from machine.interface import MachineError
from runtime.files import sha256

EXTRA = "stoicheia"
LIBRARIES = ("torch", "transformers", "huggingface_hub")
_REVISION = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class HubModel:
    """Where a model comes from.

    Attributes:
        repository: ``owner/name`` on the Hub.
        folder: local snapshot, None for cache or Hub.
        revision: commit id as given.
        trust_remote_code: whether code of the repository may run here.
        processor: module and class of its processor, ``module.Class``.
    """

    repository: str
    folder: Path | None
    revision: str | None
    trust_remote_code: bool
    processor: str


class Loaded(NamedTuple):
    """A model that is ready.

    Attributes:
        model: called with a batch.
        processor: makes batches of token lists, and records of what the model gives.
        inference: a context in which nothing is kept for training.
    """

    model: Callable[..., Any]
    processor: Any
    inference: Callable[[], AbstractContextManager[Any]]


def pinned_revision(source: HubModel) -> str:
    """Return the revision.

    Raises:
        MachineError: none was given, it is no commit id, or the local snapshot is called otherwise.
    """
    if source.revision is None:
        raise MachineError(
            f"{source.repository}: expected its revision in SPHRAGIS_STOICHEIA_REVISION, found none; "
            "an edition names the exact model: take the commit id, 40 hexadecimal digits, from the list of commits of "
            "the model on the Hub"
        )
    if not _REVISION.fullmatch(source.revision):
        raise MachineError(
            "SPHRAGIS_STOICHEIA_REVISION: expected a commit id of 40 lower-case hexadecimal digits, "
            f"found {source.revision!r}; branches and tags move"
        )
    name = source.folder.name if source.folder else source.revision
    if _REVISION.fullmatch(name) and name != source.revision:
        raise MachineError(f"SPHRAGIS_STOICHEIA: expected a snapshot of {source.revision}, found one of {name}")
    return source.revision


def library_versions() -> dict[str, str]:
    """Return the versions of the libraries.

    Raises:
        MachineError: one is not installed.
    """
    versions = {}
    for name in LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            raise MachineError(
                f"expected the library {name}, found none; install the extra: pip install 'sphragis[{EXTRA}]'"
            ) from None
    return versions


def folder_digest(folder: Path) -> str:
    """Return the checksum of names and contents of the files of a snapshot, hidden ones and caches left out.

    Raises:
        MachineError: there is no folder or nothing in it.
    """
    digest = hashlib.sha256()
    parts = [(path.relative_to(folder), path) for path in sorted(folder.rglob("*")) if path.is_file()]
    parts = [
        (name, path)
        for name, path in parts
        if "__pycache__" not in name.parts and not any(part.startswith(".") for part in name.parts)
    ]
    if not parts:
        raise MachineError(f"SPHRAGIS_STOICHEIA: expected the files of a model in {folder}, found none")
    for name, path in parts:
        digest.update(f"{sha256(path)}  {name.as_posix()}\n".encode())
    return digest.hexdigest()


def load(source: HubModel, seed: int) -> Loaded:
    """Load model and processor for use on one thread of the CPU, with a fixed seed.

    Raises:
        MachineError: the code of the model may not run, a library is missing, or the model cannot be had.
    """
    revision = pinned_revision(source)
    if not source.trust_remote_code:
        raise MachineError(
            f"{source.repository} brings its own Python code, which runs on this machine with all your rights when the "
            f"model is loaded. Read it at revision {revision}, and set SPHRAGIS_TRUST_REMOTE_CODE=1 if you trust it"
        )
    library_versions()
    try:
        torch: Any = import_module("torch")
        transformers: Any = import_module("transformers")
        dynamic: Any = import_module("transformers.dynamic_module_utils")
    except ImportError as error:
        raise MachineError(f"{source.repository}: the libraries of the extra cannot be loaded: {error}") from error
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    folder = str(_snapshot(source, revision))
    # What the code of a model may raise is up to the model.
    try:
        model = transformers.AutoModel.from_pretrained(folder, revision=revision, trust_remote_code=True)
    except Exception as error:
        raise MachineError(f"{source.repository}: the model cannot be loaded: {_reason(error)}") from error
    try:
        processor = dynamic.get_class_from_dynamic_module(source.processor, folder).from_pretrained(folder)
    except Exception as error:
        raise MachineError(
            f"{source.repository}: expected the processor {source.processor} at revision {revision}, "
            f"it cannot be loaded: {_reason(error)}"
        ) from error
    model.eval()
    return Loaded(model, processor, torch.inference_mode)


def _snapshot(source: HubModel, revision: str) -> Path:
    """Return the folder of the pinned snapshot."""
    if source.folder:
        return source.folder
    hub: Any = import_module("huggingface_hub")
    try:
        return Path(hub.snapshot_download(source.repository, revision=revision))
    except Exception as error:
        raise MachineError(
            f"{source.repository} at revision {revision} is not in the cache and cannot be fetched: {_reason(error)}; "
            "put a snapshot in a folder and set SPHRAGIS_STOICHEIA to it, or bring in a parse made elsewhere with "
            "SPHRAGIS_MACHINE=conllu"
        ) from error


def _reason(error: Exception) -> str:
    """Return an error in one line."""
    text = str(error).strip()
    return f"{type(error).__name__}: {text.splitlines()[0]}" if text else type(error).__name__
