"""What an edition says of its machine layer: the manifest of the parse, and how far it agrees with the human layer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError, relations, rows

if TYPE_CHECKING:
    import duckdb

MANIFEST = "intermediate.int_machine__manifest"
MEASURES = ("uas", "las", "upos", "feats")
SCOPES = {"all": "all", "by_project": "project", "by_fold": "fold", "by_author": "author"}
"""Parts of the report by scope of `audit.layer_agreement`; works stand in the audit table only."""

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
        raise ExportError(f"hub.tokens has {layer}, and {MANIFEST} has {len(found)} rows: run `dbt build` again")
    if not has_machine:
        return None
    manifest: dict[str, Any] = json.loads(found[0]["manifest"])
    return manifest


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


def features(con: duckdb.DuckDBPyConnection) -> dict[str, dict[str, Any]]:
    """Return precision, recall and F1 of each feature over all projects."""
    if "audit.layer_agreement_features" not in relations(con):
        return {}
    found = rows(con, "select * from audit.layer_agreement_features where scope = 'all' order by feature")
    measures = ("precision", "recall", "f1")
    return {
        row["feature"]: {
            "human": row["human"],
            "machine": row["machine"],
            **{name: None if row[name] is None else round(row[name], DIGITS) for name in measures},
        }
        for row in found
    }


def report(con: duckdb.DuckDBPyConnection, manifest: dict[str, Any] | None) -> dict[str, Any]:
    """Return the part `machine_syntax` of the build report."""
    if manifest is None:
        return {"is_present": False, "provider": "none"}
    parts = {name: agreement(con, scope) for name, scope in SCOPES.items()}
    return {
        "is_present": True,
        **{name: manifest.get(name) for name in ("provider", "model", "revision", "repairs", "sha256")},
        "agreement": parts | {"all": parts["all"].get("all", {}), "by_feature": features(con)},
        "folds": manifest.get("folds", []),
    }
