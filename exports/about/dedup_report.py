"""What deduplication did, as numbers: its part of `build_report.json`.

Nothing in it depends on the machine or the moment (seconds are left out).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from exports.about.record import About

MOST_FREQUENT = 10
"""Sets of authors that the report names, of those under whom the same letters stand."""

RULES = ("no_words", "author_conflict", "exact_duplicate", "quotation", "near_duplicate", "fragment", "corrupt")
"""Fates that a rule of deduplication gives, in the order of the rules."""


def report(about: About) -> dict[str, Any]:
    """Return the part of the build report about deduplication.

    Returns:
        `supplied` (sentences read), `curated` (of kept documents), `by_rule`, `entered`, `by_author`, `by_project`,
        `examples` of each rule with both texts, `pairs` by decision, `same_project_repetition` (kept),
        `author_conflicts`, `chains` and `minhash`.
    """
    (everything,) = (row for row in about.deduplication if row.scope == "all")
    by_rule = {rule: getattr(everything, rule) for rule in RULES}
    return {
        "supplied": everything.supplied,
        "curated": everything.curated,
        "by_rule": by_rule,
        "entered": everything.entered,
        "by_author": _by(about, "author"),
        "by_project": _by(about, "project"),
        "examples": {rule: _examples(about, rule) for rule in RULES if by_rule[rule]},
        "pairs": {
            "counted": about.totals.pairs_counted,
            "by_decision": {row.decision: row.pairs for row in about.pairs if row.project is None},
            "near_duplicates_by_projects": [
                {"project": row.project, "other_project": row.other_project, "pairs": row.pairs}
                for row in about.pairs
                if row.decision == "one_removed" and row.project is not None
            ],
        },
        "same_project_repetition": {
            "pairs": about.totals.repeated_pairs,
            "by_author_and_project": [asdict(row) for row in about.repetitions],
        },
        "author_conflicts": {
            "groups": about.totals.conflict_groups,
            "sentences": about.totals.conflict_sentences,
            "most_frequent": [
                {"authors": row.authors, "groups": row.conflict_groups, "sentences": row.sentences}
                for row in about.conflicts[:MOST_FREQUENT]
            ],
        },
        "chains": {"chains": about.totals.chains, "longest": about.totals.longest_chain},
        "minhash": [asdict(row) for row in about.minhash],
    }


def _by(about: About, scope: str) -> dict[str, dict[str, int]]:
    """Return, per value of a scope, the sentences curated, those each rule removed, and those that entered."""
    parts = ("curated", *RULES, "entered")
    return {
        row.scope_value: {part: getattr(row, part) for part in parts}
        for row in about.deduplication
        if row.scope == scope
    }


def _examples(about: About, rule: str) -> list[dict[str, Any]]:
    """Return the first sentences of a fate in the order of reading, with the text that stands for them."""
    parts = ("sentence_id", "author", "text", "reason", "survivor_id", "survivor_text")
    mine = [(row.place_in_reading, row) for row in about.fate_examples if row.fate == rule and row.place_in_reading]
    return [{part: getattr(row, part) for part in parts} for _, row in sorted(mine, key=lambda item: item[0])]
