"""Writing what an edition says of itself: every file of the dataset folder beside the data.

No file has a time stamp or a path of the machine, keys and rows are in a fixed order: the same input gives the same
bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exports.about import build_report, card, croissant, figures, licences, manifests
from exports.about.record import About
from runtime.files import sha256


def write(folder: Path, about: About, audits: Mapping[str, Any]) -> str:
    """Write card, licence page, Croissant description, manifests, report and at last the checksums of all files.

    Args:
        folder: the dataset folder, with its data.
        about: what there is to say.
        audits: content of each metadata file about the audits, by its name.

    Returns:
        Checksum of SHA256SUMS, the fingerprint of the edition.

    Raises:
        ExportError: the Croissant description is not valid.
    """
    write_texts(folder, texts(about, audits))
    croissant.check(folder / "croissant.json")
    return _write_checksums(folder)


def write_texts(folder: Path, written: Mapping[str, str]) -> None:
    """Write files into a folder, by their path there."""
    for name, text in written.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def texts(about: About, audits: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of every file about an edition, by its path in the dataset folder."""
    metadata = {
        "source_revisions.json": as_json(manifests.source_revisions(about)),
        "dataset_variants.json": as_json(manifests.dataset_variants(about), compact=True),
        "build_report.json": as_json(build_report.report(about)),
    }
    if about.made.parse is not None:
        metadata["machine_manifest.json"] = as_json(about.made.parse)
        folds = manifests.machine_folds(about)
        if folds:
            metadata["machine_folds.json"] = as_json(folds, compact=True)
    metadata |= {name: as_json(content) for name, content in audits.items()}
    return {f"metadata/{name}": text for name, text in metadata.items()} | {
        "README.md": card.render(about),
        "LICENSES.md": licences.render(about.projects, about.licences),
        "croissant.json": as_json(croissant.describe(about)),
        **figures.draw(about),
    }


def as_json(value: Any, compact: bool = False) -> str:
    """Return a value as JSON with sorted keys; `compact` without indentation, for long lists of ids."""
    layout: dict[str, Any] = {"separators": (",", ":")} if compact else {"indent": 2}
    return json.dumps(value, ensure_ascii=False, sort_keys=True, **layout) + "\n"


def _write_checksums(folder: Path) -> str:
    """Write SHA256SUMS over everything else in the folder; the checksum of that file, the edition's fingerprint."""
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    lines = [f"{sha256(folder / path)}  {path}\n" for path in paths if path != "SHA256SUMS"]
    target = folder / "SHA256SUMS"
    target.write_text("".join(lines), encoding="utf-8")
    return sha256(target)
