"""What the build report says of the machine layer: who parsed, and how far the parse agrees with the human layer."""

from __future__ import annotations

from typing import Any

from exports.about.record import About
from exports.dataset.parse import CHECKSUMS, TREES_CHECKSUM

SCOPES = {"all": "all", "by_project": "project", "by_fold": "fold", "by_author": "author"}
"""Parts of the report by scope of `audit.layer_agreement`; works stand in the audit table only."""

DIGITS = 6
"""Digits of a share in the report."""


def agreement(about: About, scope: str) -> dict[str, dict[str, Any]]:
    """Return tokens and share of agreement in each measure, per value of a scope."""
    found: dict[str, dict[str, Any]] = {}
    for row in about.agreement:
        if row.scope == scope:
            place = found.setdefault(row.scope_value, {"tokens": row.tokens})
            place[row.measure] = round(row.share, DIGITS)
    return found


def features(about: About, scope: str) -> dict[str, dict[str, Any]]:
    """Return counts, precision, recall and F1 of each feature, per value of a scope."""
    found: dict[str, dict[str, Any]] = {}
    for row in about.feature_agreement:
        if row.scope == scope:
            shares = {"precision": row.precision, "recall": row.recall, "f1": row.f1}
            found.setdefault(row.scope_value, {})[row.feature] = {
                "human": row.human,
                "machine": row.machine,
                **{name: None if share is None else round(share, DIGITS) for name, share in shares.items()},
            }
    return found


def report(about: About) -> dict[str, Any]:
    """Return the part `machine_syntax` of the build report."""
    parse = about.made.parse
    if parse is None:
        return {"is_present": False, "provider": "none"}
    parts = {name: agreement(about, scope) for name, scope in SCOPES.items()}
    told = ("provider", "model", "revision", "repairs", *CHECKSUMS.values(), TREES_CHECKSUM)
    return {
        "is_present": True,
        **{name: parse.get(name) for name in told},
        "agreement": parts
        | {
            "all": parts["all"].get("all", {}),
            "by_feature": features(about, "all").get("all", {}),
            "by_project_and_feature": features(about, "project"),
        },
        "audits": list(about.made.audits),
        "folds": parse.get("folds", []),
    }
