"""Writing what an edition says of itself: every file of the dataset folder beside the data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exports.about import build_report, card, croissant, licences, manifests
from exports.about.record import About


def write(folder: Path, about: About, audits: Mapping[str, Any]) -> str:
    """Write card, licence page, Croissant description, manifests, report and at last the checksums of all files.

    Args:
        folder: the dataset folder, with its data.
        about: what there is to say.
        audits: content of each metadata file about the audits, by its name.

    Returns:
        Checksum of SHA256SUMS, the fingerprint of the edition.
    """
    metadata = folder / "metadata"
    manifests.write_json(metadata / "source_revisions.json", manifests.source_revisions(about))
    manifests.write_json(metadata / "dataset_variants.json", manifests.dataset_variants(about), compact=True)
    manifests.write_json(metadata / "build_report.json", build_report.report(about))
    if about.made.parse is not None:
        manifests.write_json(metadata / "machine_manifest.json", about.made.parse)
        folds = manifests.machine_folds(about)
        if folds:
            manifests.write_json(metadata / "machine_folds.json", folds, compact=True)
    for name, content in audits.items():
        manifests.write_json(metadata / name, content)
    (folder / "README.md").write_text(card.render(about), encoding="utf-8")
    (folder / "LICENSES.md").write_text(licences.render(about.projects, about.licences), encoding="utf-8")
    manifests.write_json(folder / "croissant.json", croissant.describe(about))
    return manifests.write_checksums(folder)
