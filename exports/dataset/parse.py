"""The manifest of the parse: that it is of the very parse that is published, and how an edition names its checksums."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from exports.dataset.conllu import trees_sha256
from exports.warehouse import ExportError, columns, rows
from machine.artefact import KEY_LENGTH

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

MANIFEST = "intermediate.int_machine__manifest"
PARSE = "intermediate.int_machine__parse"
TOKENS = "hub.tokens"
CHECKSUMS = {"sha256": "artefact_parse_conllu_sha256", "sentences_sha256": "sentence_ids_and_forms_sha256"}
"""Checksums in the manifest of an artefact, and what they are called in an edition, where files are more than one."""

TREES_CHECKSUM = "published_conllu_machine_sha256"
"""Checksum of the published trees: the text of `render_conllu` of every sentence, one after the other by id."""


def load_manifest(con: duckdb.DuckDBPyConnection, machine: pa.Array | None) -> dict[str, Any] | None:
    """Return the manifest of the parse as an edition has it, None for an edition without a machine layer.

    Every checksum says what it covers, and the published trees have one.

    Args:
        con: the warehouse.
        machine: units of the machine layer, one per sentence, ordered by id; None where the tokens are not parsed.

    Raises:
        ExportError: there is a parse without a manifest, or a manifest without a parse.
    """
    has_machine = machine is not None
    found = rows(con, f"select manifest from {MANIFEST}")
    if len(found) != int(has_machine):
        layer = "a machine layer" if has_machine else "no machine layer"
        raise ExportError(f"{TOKENS} has {layer}, and {MANIFEST} has {len(found)} rows: run `dbt build` again")
    if machine is None:
        return None
    manifest: dict[str, Any] = json.loads(found[0]["manifest"])
    _check_artefacts(con, str(manifest.get("key"))[:KEY_LENGTH])
    named = {CHECKSUMS.get(key, key): value for key, value in manifest.items()}
    return named | {TREES_CHECKSUM: trees_sha256(machine.flatten())}


def _check_artefacts(con: duckdb.DuckDBPyConnection, expected: str) -> None:
    """Check that manifest, parse and published tokens are of one artefact.

    Raises:
        ExportError: a part of the models was built from another parse.
    """
    for relation, column in ((PARSE, "artefact"), (TOKENS, "machine_artefact")):
        found = ["no such column"]
        if column in columns(con, relation):
            query = f"select distinct {column} as artefact from {relation} order by artefact"
            found = [str(row["artefact"]) for row in rows(con, query)]
        if found != [expected]:
            raise ExportError(
                f"the manifest of the machine layer is of the parse {expected}, expected {relation} to be of the same, "
                f"found {', '.join(found) or 'no row'}: a part of the models was built alone; run `dbt build` again"
            )
