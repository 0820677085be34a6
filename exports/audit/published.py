"""What an edition says of its machine layer by the audits that are given: the metadata files and their notices."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exports.audit import compare, dataset
from exports.audit.reader import read_trees
from exports.warehouse import ExportError

VARIABLE = "SPHRAGIS_AUDITS"
AUDITS = ("audit_a.conllu", "audit_b.conllu")
FILES = {"audits": "machine_syntax_audit.json", "agreement": "machine_syntax_audit_agreement.json"}


def given_audits() -> list[Path]:
    """Return the files of the folder `SPHRAGIS_AUDITS`: audit_a.conllu, and audit_b.conllu when there is a second.

    Raises:
        ExportError: the setting names no folder with a first audit.
    """
    folder = os.environ.get(VARIABLE)
    if not folder:
        return []
    found = [Path(folder) / name for name in AUDITS if (Path(folder) / name).is_file()]
    if not found or found[0].name != AUDITS[0]:
        raise ExportError(f"{VARIABLE} is {folder}: expected {AUDITS[0]} in it, and {AUDITS[1]} for a second audit")
    return found


def metadata(folder: Path, audits: Sequence[Path]) -> tuple[dict[str, Any], list[str]]:
    """Compare the machine layer of a written dataset folder with the audits.

    Returns:
        The content of each metadata file by its name, and notices for the end of the export.

    Raises:
        ExportError: an audit cannot be read, or no sentence of it can be compared.
    """
    if not audits:
        return {}, []
    read = [read_trees(path) for path in audits]
    try:
        parse = dataset.machine_trees(folder, {name for trees in read for name in trees.sentences})
    except dataset.NoMachineLayerError:
        return {}, ["audits: not compared, this edition has no machine layer"]
    found = compare.compare(parse, read)
    notices = [f"audits: {line}" for line in compare.left_out(found)]
    contents: dict[str, Any] = {FILES["audits"]: {"audits": found["audits"]}}
    if found["agreement"] is not None:
        contents[FILES["agreement"]] = found["agreement"]
    return contents, notices
