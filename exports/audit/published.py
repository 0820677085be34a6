"""What an edition says of its machine layer by the audits that are given: the metadata files and their notices.

Audits are read and compared before anything is written, with the trees of the warehouse that the edition is made of:
an audit that cannot be used costs a second, not an export.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from exports.audit import compare, dataset
from exports.audit.reader import Trees, from_rows, read_trees
from exports.dataset.parse import load_manifest
from exports.warehouse import ExportError, rows

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

AUDITS = ("audit_a.conllu", "audit_b.conllu")
FILES = {"audits": "machine_syntax_audit.json", "agreement": "machine_syntax_audit_agreement.json"}
FIGURES = ("sentences", "tokens", "uas", "las", "upos_accuracy", "feats_micro_f1")
"""Figures of an audit that the build report and the card name; the files have the others."""


class Audited(NamedTuple):
    """What an edition says of the audits.

    Attributes:
        files: content of each metadata file by its name.
        figures: name, checksum and main figures of each audit.
        notices: lines for the end of the export.
    """

    files: dict[str, Any]
    figures: list[dict[str, Any]]
    notices: list[str]


class AuditedParse(NamedTuple):
    """The machine layer of an edition: how it was made, and what the audits say of it.

    Attributes:
        manifest: manifest of the parse as the edition has it, None without a machine layer.
        audited: what the edition says of the audits.
    """

    manifest: dict[str, Any] | None
    audited: Audited


def audited_parse(con: duckdb.DuckDBPyConnection, folder: Path | None, machine: pa.Array | None) -> AuditedParse:
    """Return what an edition says of its machine layer.

    Args:
        con: the warehouse.
        folder: the setting `audits`; None for no audits.
        machine: units of the machine layer, one per sentence, ordered by id; None where the tokens are not parsed.

    Raises:
        ExportError: an audit cannot be used, or parse, manifest and published tokens are not of one artefact.
    """
    audits = _read_audits(folder)
    return AuditedParse(load_manifest(con, machine), _compare_with(con, audits, machine is not None))


def _read_audits(folder: Path | None) -> list[Trees]:
    """Read the audits of a folder: audit_a.conllu, and audit_b.conllu when there is a second.

    Args:
        folder: the setting `audits`; None for no audits.

    Raises:
        ExportError: the folder has no first audit, an audit cannot be read, or no sentence of it can be used.
    """
    if folder is None:
        return []
    found = [folder / name for name in AUDITS if (folder / name).is_file()]
    if not found or found[0].name != AUDITS[0]:
        raise ExportError(
            f"SPHRAGIS_AUDITS is {folder}: expected {AUDITS[0]} in it, and {AUDITS[1]} for a second audit"
        )
    audits = [read_trees(path) for path in found]
    for trees in audits:
        if not trees.sentences:
            raise ExportError(compare.nothing_to_compare(Trees("the machine layer"), trees, [], trees.faults))
    return audits


def _compare_with(con: duckdb.DuckDBPyConnection, audits: Sequence[Trees], has_machine: bool) -> Audited:
    """Compare the machine layer that is to be published with the audits.

    Args:
        con: the warehouse.
        audits: one audit or two, or none.
        has_machine: whether the published tokens are parsed.

    Raises:
        ExportError: no sentence of an audit can be compared.
    """
    if not audits:
        return Audited({}, [], [])
    if not has_machine:
        return Audited({}, [], ["audits: not compared, this edition has no machine layer"])
    wanted = {name for trees in audits for name in trees.sentences}
    found = compare.compare(from_rows(dataset.MACHINE, _machine_rows(con, wanted)), audits)
    files: dict[str, Any] = {FILES["audits"]: {"audits": found["audits"]}}
    if found["agreement"] is not None:
        files[FILES["agreement"]] = found["agreement"]
    figures = [part["audit"] | {name: part["scores"][name] for name in FIGURES} for part in found["audits"]]
    return Audited(files, figures, [f"audits: {line}" for line in compare.left_out(found)])


def _machine_rows(
    con: duckdb.DuckDBPyConnection, wanted: Collection[str]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield id and machine tokens of the wanted sentences that are published."""
    query = (
        "select id, form, machine_upos as upos, machine_feats as feats, machine_head as head, machine_deprel as deprel "
        "from hub.tokens where id in (select unnest(?)) order by id, token"
    )
    for name, tokens in groupby(rows(con, query, sorted(wanted)), key=lambda row: str(row["id"])):
        yield name, list(tokens)
