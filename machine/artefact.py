"""The parse as an artefact on disk, made once for the same sentences, provider and configuration.

``<build>/machine/<key>/`` holds ``parse.conllu`` and ``manifest.json``. The key is the checksum of all that the parse
depends on. The folder is written aside and renamed in, so it is whole or not there; what is read back is compared with
its checksum, and a damaged artefact is made again. One run at a time makes a parse; others wait and take it.

The artefact has no time stamps and no machine paths: the same input gives the same bytes.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from machine.check import CHECK_VERSION, Checked, Inventories, check_parses, load_inventories
from machine.conllu_text import BlockError, read_parses, render
from machine.interface import Corpus, MachineError, Manifest, Parsed, Provider, Say, Sentence

FORMAT = 1
"""Changes with the layout of the artefact."""

PARSE, MANIFEST = "parse.conllu", "manifest.json"
KEY_LENGTH = 16

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
"""Error numbers of a disk on which nothing more can be written."""


def machine_layer(
    corpus: Corpus,
    provider: Provider,
    cache: Path,
    say: Say,
    inventories: Inventories | None = None,
) -> tuple[list[Parsed], Manifest]:
    """Return the checked parse of every sentence, in their order, and the manifest; parse only what is not there yet.

    Args:
        corpus: the sentences.
        provider: who parses them.
        cache: the folder of artefacts, ``<build>/machine``; made when it is missing.
        say: progress.
        inventories: the values a parse may have; default: those of the seeds.

    Raises:
        MachineError: the provider cannot parse, its parses cannot be used, or the artefact cannot be written.
    """
    inventories = inventories or load_inventories()
    identity = provider.identity(corpus)
    key = artefact_key(identity, corpus.sentences, inventories)
    folder = cache / key[:KEY_LENGTH]
    found = _read(folder, key, corpus.sentences)
    if found is None:
        with _disk_errors(cache):
            cache.mkdir(parents=True, exist_ok=True)
        with only_maker(folder, say):
            found = _read(folder, key, corpus.sentences)
            if found is None:
                if folder.exists():
                    say(f"machine layer: the artefact {folder.name} is damaged and is made again")
                return _make(corpus, provider, identity, key, folder, say, inventories)
    say(f"machine layer: {provider.name}, the parse {folder.name} of an earlier run stands")
    return found


def artefact_key(identity: dict[str, Any], sentences: Iterable[Sentence], inventories: Inventories) -> str:
    """Return the checksum of all that a parse depends on."""
    return _sha256(
        {
            "format": FORMAT,
            "check": CHECK_VERSION,
            "identity": identity,
            "sentences": sentences_digest(sentences),
            "inventories": [sorted(values) for values in (inventories.upos, inventories.relations, inventories.feats)],
        }
    )


def sentences_digest(sentences: Iterable[Sentence]) -> str:
    """Return the checksum of ids and tokens."""
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update("\t".join([sentence.id, *sentence.forms]).encode() + b"\n")
    return digest.hexdigest()


def _sha256(value: Any) -> str:
    """Return the checksum of a JSON-able value in its canonical form.

    Raises:
        MachineError: the value is not JSON-able.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise MachineError(
            f"the identity of a provider: expected values that JSON has, found others ({error})"
        ) from None
    return hashlib.sha256(text.encode()).hexdigest()


def _make(
    corpus: Corpus,
    provider: Provider,
    identity: dict[str, Any],
    key: str,
    folder: Path,
    say: Say,
    inventories: Inventories,
) -> tuple[list[Parsed], Manifest]:
    """Parse, check and write."""
    say(f"machine layer: {provider.name} parses {len(corpus.sentences)} sentences")
    # A provider may meet other failures of the system than those of the disk, and tells them itself.
    with _disk_errors(folder.parent, FULL):
        parses = provider.parse(corpus, folder.parent, say)
    checked = check_parses(corpus.sentences, parses, inventories, provider.name)
    facts = provider.facts(corpus)
    manifest = _manifest(corpus, identity | facts, key, checked)
    folds = corpus.folds if "folds" in facts else None
    with _disk_errors(folder.parent):
        manifest = _write(folder, render(corpus.sentences, checked.parses, folds), manifest)
    repaired = ", ".join(f"{count} {kind}" for kind, count in sorted(checked.repairs.items())) or "none"
    say(f"machine layer: {manifest['tokens']} tokens, repairs: {repaired}")
    return checked.parses, manifest


def _manifest(corpus: Corpus, known: dict[str, Any], key: str, checked: Checked) -> Manifest:
    """Return the manifest without the checksum of the parse."""
    return known | {
        "key": key,
        "sentences": len(corpus.sentences),
        "tokens": sum(len(sentence.forms) for sentence in corpus.sentences),
        "sentences_sha256": sentences_digest(corpus.sentences),
        "repairs": dict(sorted(checked.repairs.items())),
        "foreign_features": dict(sorted(checked.foreign.items())),
    }


def _write(folder: Path, texts: Iterable[str], manifest: Manifest) -> Manifest:
    """Write the artefact aside and rename it in; return the manifest as written."""
    for leftover in folder.parent.glob(f".{folder.name}.*.new"):
        shutil.rmtree(leftover, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".new", dir=folder.parent))
    try:
        aside.chmod(0o755)
        digest = hashlib.sha256()
        with (aside / PARSE).open("wb") as handle:
            for text in texts:
                data = text.encode()
                digest.update(data)
                handle.write(data)
            _sync(handle)
        manifest = manifest | {"sha256": digest.hexdigest()}
        text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
        with (aside / MANIFEST).open("wb") as handle:
            handle.write(text.encode() + b"\n")
            _sync(handle)
        if folder.is_dir():
            shutil.rmtree(folder)
        else:
            folder.unlink(missing_ok=True)
        aside.rename(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return _normal(manifest)


def _normal(manifest: Manifest) -> Manifest:
    """Return a manifest as it is read back, so that the first and the second call give the same value."""
    value: Manifest = json.loads(json.dumps(manifest, sort_keys=True))
    return value


def _sync(handle: IO[bytes]) -> None:
    """Have the system write a file to the disk before its folder gets its name."""
    handle.flush()
    os.fsync(handle.fileno())


def _read(folder: Path, key: str, sentences: list[Sentence]) -> tuple[list[Parsed], Manifest] | None:
    """Read an artefact back; None when there is none or it is not what was written."""
    try:
        data = (folder / PARSE).read_bytes()
        manifest: Manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["key"] != key or manifest["sha256"] != hashlib.sha256(data).hexdigest():
            return None
        found, parses = read_parses(data.decode())
    except (OSError, ValueError, KeyError, TypeError, BlockError):
        return None
    if found != sentences:
        return None
    return parses, manifest


@contextmanager
def only_maker(folder: Path, say: Say) -> Iterator[None]:
    """Hold the lock of an artefact while it is made; wait where another run holds it."""
    import fcntl

    with _disk_errors(folder.parent):
        lock = (folder.parent / f".{folder.name}.lock").open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say(f"machine layer: another run makes the parse {folder.name}; waiting for it")
            with suppress(OSError):  # a file system without locks: both runs make the same artefact
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _disk_errors(folder: Path, only: frozenset[int] | None = None) -> Iterator[None]:
    """Tell failures of the disk in one message; given error numbers, these only."""
    try:
        yield
    except OSError as error:
        if only is not None and error.errno not in only:
            raise
        reason = error.strerror or str(error)
        raise MachineError(
            f"the machine layer cannot be written to {folder}: {reason}; "
            "free the disk or set SPHRAGIS_BUILD to another folder"
        ) from error
