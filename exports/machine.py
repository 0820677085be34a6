"""What an edition says of its machine layer: the manifest of the parse, and how far it agrees with the human layer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from exports.conllu import trees_sha256
from exports.warehouse import ExportError, columns, relations, rows
from ingest.machine.artefact import KEY_LENGTH

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

MANIFEST = "intermediate.int_machine__manifest"
PARSE = "intermediate.int_machine__parse"
TOKENS = "hub.tokens"
MEASURES = ("uas", "las", "upos", "feats")
SCOPES = {"all": "all", "by_project": "project", "by_fold": "fold", "by_author": "author"}
"""Parts of the report by scope of `audit.layer_agreement`; works stand in the audit table only."""

CHECKSUMS = {"sha256": "artefact_parse_conllu_sha256", "sentences_sha256": "sentence_ids_and_forms_sha256"}
"""Checksums in the manifest of an artefact, and what they are called in an edition, where files are more than one."""

TREES_CHECKSUM = "published_conllu_machine_sha256"
"""Checksum of the published trees: the text of `render_conllu` of every sentence, one after the other by id."""

DIGITS = 6
"""Digits of a share in the report."""


def load_manifest(con: duckdb.DuckDBPyConnection, has_machine: bool) -> dict[str, Any] | None:
    """Return the manifest of the parse, None for an edition without a machine layer.

    Args:
        con: the warehouse.
        has_machine: whether the published tokens are parsed.

    Raises:
        ExportError: there is a parse without a manifest, or a manifest without a parse.
    """
    found = rows(con, f"select manifest from {MANIFEST}") if MANIFEST in relations(con) else []
    if len(found) != int(has_machine):
        layer = "a machine layer" if has_machine else "no machine layer"
        raise ExportError(f"{TOKENS} has {layer}, and {MANIFEST} has {len(found)} rows: run `dbt build` again")
    if not has_machine:
        return None
    manifest: dict[str, Any] = json.loads(found[0]["manifest"])
    _check_artefacts(con, str(manifest.get("key"))[:KEY_LENGTH])
    return manifest


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


def published_manifest(manifest: dict[str, Any], machine: pa.Array) -> dict[str, Any]:
    """Return the manifest as an edition has it: every checksum says what it covers, and the published trees have one.

    Args:
        manifest: the manifest of the artefact.
        machine: units of the machine layer, one per sentence, ordered by id.
    """
    named = {CHECKSUMS.get(key, key): value for key, value in manifest.items()}
    return named | {TREES_CHECKSUM: trees_sha256(machine.flatten())}


def sentence_folds(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Return the ids of the sentences that each fold parsed, sorted; nothing when the parse was not made in folds."""
    query = (
        f"select fold::varchar as number, list(id order by id) as ids from {PARSE} "
        "where token = 1 and fold is not null group by fold order by fold"
    )
    return {row["number"]: row["ids"] for row in rows(con, query)}


def agreement(con: duckdb.DuckDBPyConnection, scope: str) -> dict[str, dict[str, Any]]:
    """Return tokens and share of agreement in each measure, per value of a scope of `audit.layer_agreement`."""
    if "audit.layer_agreement" not in relations(con):
        return {}
    found: dict[str, dict[str, Any]] = {}
    query = (
        "select scope_value, measure, tokens, share from audit.layer_agreement where scope = ? "
        "order by scope_value, measure"
    )
    for row in rows(con, query, scope):
        place = found.setdefault(row["scope_value"], {"tokens": row["tokens"]})
        place[row["measure"]] = round(row["share"], DIGITS)
    return found


def features(con: duckdb.DuckDBPyConnection, scope: str) -> dict[str, dict[str, Any]]:
    """Return precision, recall and F1 of each feature, per value of a scope of `audit.layer_agreement_features`."""
    if "audit.layer_agreement_features" not in relations(con):
        return {}
    query = "select * from audit.layer_agreement_features where scope = ? order by scope_value, feature"
    measures = ("precision", "recall", "f1")
    found: dict[str, dict[str, Any]] = {}
    for row in rows(con, query, scope):
        found.setdefault(row["scope_value"], {})[row["feature"]] = {
            "human": row["human"],
            "machine": row["machine"],
            **{name: None if row[name] is None else round(row[name], DIGITS) for name in measures},
        }
    return found


def report(
    con: duckdb.DuckDBPyConnection, manifest: dict[str, Any] | None, audits: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """Return the part `machine_syntax` of the build report.

    Args:
        con: the warehouse.
        manifest: the published manifest of the parse, None without a machine layer.
        audits: the main figures of each published audit.
    """
    if manifest is None:
        return {"is_present": False, "provider": "none"}
    parts = {name: agreement(con, scope) for name, scope in SCOPES.items()}
    told = ("provider", "model", "revision", "repairs", *CHECKSUMS.values(), TREES_CHECKSUM)
    return {
        "is_present": True,
        **{name: manifest.get(name) for name in told},
        "agreement": parts
        | {
            "all": parts["all"].get("all", {}),
            "by_feature": features(con, "all").get("all", {}),
            "by_project_and_feature": features(con, "project"),
        },
        "audits": list(audits),
        "folds": manifest.get("folds", []),
    }
